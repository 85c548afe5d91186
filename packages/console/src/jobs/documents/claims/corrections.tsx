import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { findPersonVerdict, listAlike } from '@agonhq/documents/view';
import { client } from '../../../api/client.ts';
import { LabelRadio, findLabelLook } from '../../../components/badge.tsx';
import { Button } from '../../../components/button.tsx';
import { Form, TextAreaField } from '../../../components/field.tsx';
import { ProblemNotice } from '../../../components/page.tsx';
import { Paragraph, When } from '../../../components/text.tsx';
import { showToast } from '../../../components/toasts.tsx';
import { useNameField, useReviewer } from '../../../session/reviewer.tsx';
import { useMay } from '../../../session/session.ts';
import { type LiveCorrection, correctionsKey, correctionsQuery } from '../live-store.ts';
import type { ClaimAnswer } from '../analysis-types.ts';
import { Part } from './claim-card.tsx';

/**
 * What people said of a claim and of claims alike; and a way to say so. Placed by itself: the hidden inputs of its form
 * must not lengthen a page that does not scroll.
 */
export function Corrections({ id, answer }: { id: string; answer: ClaimAnswer }) {
  const mayReview = useMay('review');
  const corrections = useQuery(correctionsQuery(id));
  const [open, setOpen] = useState(false);
  const own = corrections.data?.findLast(({ claim }) => claim === answer.subject.id);
  const earlier = own ? null : findPersonVerdict(answer);
  const alike = listAlike(answer);
  return (
    <Part title="Corrections">
      <div className="relative grid gap-3">
        {corrections.error && <ProblemNotice error={corrections.error} retry={() => void corrections.refetch()} />}
        {own && <Standing id={id} correction={own} mayWithdraw={mayReview} />}
        {earlier && (
          <p className="words">
            {earlier.by} corrected the same claim in an earlier analysis ({earlier.day}):{' '}
            {findLabelLook(earlier.label).title.toLowerCase()} instead of{' '}
            {findLabelLook(earlier.verdict).title.toLowerCase()}. {earlier.why}
          </p>
        )}
        {alike.map((said) => (
          <p key={said} className="words text-sm text-quiet">
            {said}
          </p>
        ))}
        {mayReview && !own && !open && (
          <Button className="w-fit" onClick={() => setOpen(true)}>
            Correct this verdict
          </Button>
        )}
        {mayReview && !own && open && <CorrectionForm id={id} answer={answer} onDone={() => setOpen(false)} />}
      </div>
    </Part>
  );
}

function Standing({ id, correction, mayWithdraw }: { id: string; correction: LiveCorrection; mayWithdraw: boolean }) {
  const queries = useQueryClient();
  const reviewer = useReviewer();
  const withdraw = useMutation({
    mutationFn: () =>
      client.corrections.withdraw(correction.id, { by: reviewer.fixed ? undefined : (reviewer.name ?? undefined) }),
    onSuccess: async () => {
      showToast('Withdrawn: the verdict of the machine stands again.');
      await queries.invalidateQueries({ queryKey: correctionsKey(id) });
    },
  });
  return (
    <div className="grid gap-2 rounded-lg border p-3">
      <p className="words">
        <b className="font-medium">{correction.by}</b>, <When moment={correction.at} />:{' '}
        {findLabelLook(correction.label).title.toLowerCase()}, where the machine said{' '}
        {findLabelLook(correction.verdict).title.toLowerCase()}.
      </p>
      <Paragraph text={correction.why} />
      {withdraw.error && <ProblemNotice error={withdraw.error} />}
      {mayWithdraw && (
        <Button className="w-fit" disabled={withdraw.isPending} onClick={() => withdraw.mutate()}>
          Withdraw correction
        </Button>
      )}
    </div>
  );
}

const labels = ['verified-strong', 'supported', 'mixed', 'contradicted', 'unsupported', 'undecided'] as const;

function CorrectionForm({ id, answer, onDone }: { id: string; answer: ClaimAnswer; onDone: () => void }) {
  const queries = useQueryClient();
  const { nameField, takeName } = useNameField('Your correction is recorded under this name.');
  const [label, setLabel] = useState<(typeof labels)[number] | null>(null);
  const [why, setWhy] = useState('');
  const send = useMutation({
    mutationFn: () =>
      client.corrections.create(id, { claim: answer.subject.id, label: label!, why: why.trim(), by: takeName() }),
    onSuccess: async () => {
      showToast('Recorded. Later analyses of the same claim recall it.');
      await queries.invalidateQueries({ queryKey: correctionsKey(id) });
      onDone();
    },
  });
  return (
    <Form
      onSubmit={() => label !== null && send.mutate()}
      sending={send}
      submit="Record correction"
      submitLook={{ disabled: label === null, className: 'w-fit' }}
    >
      <fieldset className="grid gap-2">
        <legend className="mb-1 text-sm font-medium">What should the verdict have been?</legend>
        <div className="flex flex-wrap gap-2">
          {labels
            .filter((option) => option !== answer.verdict.label)
            .map((option) => (
              <LabelRadio
                key={option}
                label={option}
                look="min-h-10 cursor-pointer gap-2 px-3 [&>svg]:size-4"
                name="label"
                checked={label === option}
                onChange={() => setLabel(option)}
                required
              />
            ))}
        </div>
        {(label === 'verified-strong' || label === 'contradicted') && (
          <p className="text-sm text-quiet">
            Only code can show this: it will stand as your word, beside the verdict of the rules.
          </p>
        )}
      </fieldset>
      <TextAreaField
        label="Why"
        hint="What the verdict overlooks. Later analyses are shown it."
        value={why}
        maxLength={5000}
        required
        onChange={setWhy}
      />
      {nameField}
    </Form>
  );
}
