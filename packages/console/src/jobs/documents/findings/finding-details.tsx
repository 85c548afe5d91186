import { ArrowLeft, ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { ListedFinding } from '@agonhq/documents/findings/list-findings';
import { describeRule } from '@agonhq/documents/view';
import { Badge } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Part } from '../claims/claim-card.tsx';
import { CitationButton, CitationList } from '../claims/citation-button.tsx';
import { Corrections } from '../claims/corrections.tsx';
import { NumberCheck } from '../claims/number-check.tsx';
import type { ListedCheck } from '../claims/number-checks.tsx';
import type { ClaimTrace } from '@agonhq/documents/trace';
import type { Citation } from '../analysis-types.ts';
import { EditWords } from './edit-words.tsx';
import { FindingBadge } from './finding-badge.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../api/client.ts';
import { Checkbox, Form, TextAreaField } from '../../../components/field.tsx';
import { When } from '../../../components/text.tsx';
import { showToast } from '../../../components/toasts.tsx';
import { useNameField } from '../../../session/reviewer.tsx';
import { useMay } from '../../../session/session.ts';
import { editsKey } from '../live-store.ts';

interface FindingDetailsProps {
  /** Of the analysis. */ id: string;
  finding: ListedFinding;
  /** Of a claim. */ trace: ClaimTrace | null;
  /** Of numbers alone. */ checks: readonly ListedCheck[];
  active: number | null;
  onGo: (citation: Citation) => void;
  onStep: (by: 1 | -1) => void;
  onBack: () => void;
  onClaim: (number: number) => void;
}

/** A finding beside the page: its expression and values, what people say of it, and what they make of it. */
export function FindingDetails(props: FindingDetailsProps) {
  const { id, finding, trace, checks, active, onGo, onStep, onBack, onClaim } = props;
  const { verdict, person, text, claim } = finding;
  const going = { active, onGo };
  return (
    <article data-finding={finding.id} className="grid gap-5 rounded-xl border bg-surface p-4">
      <div className="flex items-center justify-between gap-2">
        <Button variant="quiet" size="small" icon={ArrowLeft} onClick={onBack}>
          All findings
        </Button>
        <span className="flex gap-1">
          <Button size="small" icon={ChevronLeft} aria-label="Previous finding" onClick={() => onStep(-1)} />
          <Button size="small" icon={ChevronRight} aria-label="Next finding" onClick={() => onStep(1)} />
        </span>
      </div>
      <div className="grid gap-1.5">
        <p className="flex flex-wrap items-center gap-2">
          <FindingBadge verdict={verdict} />
          {person && (
            <Badge className="words">
              {person.label.replace('-', ' ')}, says {person.by}
            </Badge>
          )}
        </p>
        <h2 className="words font-sans text-base font-medium tracking-normal">{text}</h2>
        {trace && <p className="words text-sm text-quiet">Decided by {describeRule(trace.answer.verdict.rule.id)}.</p>}
        {finding.why !== '' && <p className="words text-sm">{finding.why}</p>}
      </div>
      {trace?.origin && (
        <Part title="Source sentence">
          <CitationButton citation={trace.origin} {...going} />
        </Part>
      )}
      {(trace?.checks.length ?? checks.length) > 0 && (
        <Part title="Numbers">
          {(trace?.checks ?? checks.map(({ check }) => check)).map((check, index) => (
            <NumberCheck key={index} check={check} {...going} />
          ))}
        </Part>
      )}
      {trace && trace.verdict.length > 0 && (
        <Part title="Evidence">
          <CitationList citations={trace.verdict} {...going} />
        </Part>
      )}
      {trace && <Corrections id={id} answer={trace.answer} />}
      <Part title="For the report">
        <EditFinding key={finding.id} id={id} finding={finding} />
      </Part>
      {claim !== null && (
        <Button variant="quiet" className="w-fit" onClick={() => onClaim(claim)}>
          Open the debate on claim {claim}
        </Button>
      )}
    </article>
  );
}

/** Words of one's own for the report. They stand beside the machine's, under the name of whoever wrote them. */
function EditFinding({ id, finding: { id: finding, edit } }: { id: string; finding: ListedFinding }) {
  const mayReview = useMay('review');
  const queries = useQueryClient();
  const { nameField, takeName } = useNameField('Your words are kept under this name.');
  const [wording, setWording] = useState(edit?.wording ?? '');
  const [note, setNote] = useState(edit?.note ?? '');
  const [leftOut, setLeftOut] = useState(edit?.leftOut ?? false);
  const send = useMutation({
    mutationFn: () =>
      client.findings.edit(id, finding, { wording: wording.trim(), note: note.trim(), leftOut, by: takeName() }),
    onSuccess: async () => {
      showToast('Kept for the report. The verdict stays as it is.');
      await queries.invalidateQueries({ queryKey: editsKey(id) });
    },
  });
  if (!mayReview) return edit ? <EditWords edit={edit} /> : <p className="text-sm text-quiet">Nobody has edited it.</p>;
  return (
    <Form
      onSubmit={() => send.mutate()}
      sending={send}
      submit="Keep for the report"
      submitLook={{ className: 'w-fit' }}
    >
      <TextAreaField
        label="In your own words"
        hint="Stands in the exports beside what the machine says."
        look="min-h-16!"
        value={wording}
        maxLength={5000}
        onChange={setWording}
      />
      <TextAreaField label="Note" look="min-h-16!" value={note} maxLength={5000} onChange={setNote} />
      <Checkbox label="Leave out of exports" checked={leftOut} onChange={({ target }) => setLeftOut(target.checked)} />
      {nameField}
      {edit && (
        <p className="text-sm text-quiet">
          Last edited by {edit.by}, <When moment={new Date(edit.at).toISOString()} />.
        </p>
      )}
    </Form>
  );
}
