import type { By } from '../../api/query-options.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { client, type SentAnnotationItem, type SentAnnotationProject } from '../../api/client.ts';
import { readStored, writeStored } from '../../browser-storage.ts';
import { Button } from '../../components/button.tsx';
import { Card, ProblemNotice } from '../../components/page.tsx';
import { Form, TextAreaField } from '../../components/field.tsx';
import { KeyHint, useHotkeys } from '../../components/hotkeys.tsx';
import { Paragraph } from '../../components/text.tsx';
import { ItemParts } from './item-parts.tsx';
import { LabelChoice } from './label-choice.tsx';
import { FindingFields, MarkAs } from './marks/finding-fields.tsx';
import { useFinding } from './marks/use-finding.ts';
import { describeMissing, useViewing } from './use-viewing.ts';

interface VoteOnItemProps {
  project: SentAnnotationProject;
  item: SentAnnotationItem;
  by: By;
  onVoted: (item: SentAnnotationItem) => void;
  onSkip: () => void;
  /** The vote is in, and what comes next is on its way. */
  settling: boolean;
}

/** One item with all its parts, and the vote that can be cast once all of them were looked at. */
export function VoteOnItem({ project, item, by, onVoted, onSkip, settling }: VoteOnItemProps) {
  const { id, labels, guidelines, marking } = project;
  const viewing = useViewing(item);
  const [label, setLabel] = useState<string | null>(item.yours?.label ?? null);
  const draft = useFinding(marking, item.yours?.finding);
  const [why, setWhy] = useState(item.yours?.why ?? '');
  const began = useRef(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const told = useId();
  const missing = describeMissing(viewing);
  const ready = missing === null;
  const vote = useMutation({
    mutationFn: () =>
      client.annotations.vote(id, String(item.position), {
        label: label!,
        viewed: item.parts,
        tookMs: Math.min(86_400_000, Math.max(0, Date.now() - began.current)),
        ...(marking ? { finding: draft.finding } : {}),
        ...(why.trim() === '' ? {} : { why }),
        ...by,
      }),
    onSuccess: onVoted,
  });
  useEffect(() => {
    began.current = Date.now();
    // Whoever has just voted goes on with what comes next.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
    // On a phone one has scrolled down to the vote before.
    if (heading.current && heading.current.getBoundingClientRect().top < 0) heading.current.scrollIntoView();
  }, []);
  const submit = () => {
    if (ready && label !== null && !vote.isPending && !settling) vote.mutate();
  };
  const choices = Object.fromEntries(
    labels.slice(0, 9).map((one, index) => [String(index + 1), () => ready && setLabel(one)]),
  );
  useHotkeys({ ...choices, Enter: submit, 'mod+Enter': submit, n: onSkip });
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 gap-3">
        <h2 ref={heading} tabIndex={-1} className="words text-xl outline-none">
          {item.id}
        </h2>
        {marking && <MarkAs marking={marking} draft={draft} />}
        <ItemParts keys project={id} item={item} viewing={viewing} draft={marking ? draft : undefined} />
      </div>
      <div className="grid gap-4 lg:sticky lg:top-4">
        <Card>
          <Form onSubmit={submit}>
            <p id={told} role="status" className={ready ? 'text-sm text-quiet' : 'text-sm font-medium text-caution'}>
              {ready ? 'You have viewed everything.' : `Before you vote: ${missing}.`}
            </p>
            <LabelChoice
              keys
              legend="Your vote"
              labels={labels}
              value={label}
              onChange={setLabel}
              disabled={!ready}
              describedBy={told}
            />
            {marking && <FindingFields marking={marking} draft={draft} />}
            <TextAreaField label="Reason (optional)" look="min-h-16" maxLength={5000} value={why} onChange={setWhy} />
            {vote.isError && <ProblemNotice error={vote.error} />}
            <div className="flex flex-wrap gap-2">
              <Button
                type="submit"
                variant="primary"
                className="flex-1 whitespace-nowrap"
                busy={vote.isPending || settling}
                disabled={!ready || label === null}
              >
                Submit <KeyHint>Enter</KeyHint>
              </Button>
              <Button className="whitespace-nowrap" onClick={onSkip}>
                Skip <KeyHint>N</KeyHint>
              </Button>
            </div>
          </Form>
        </Card>
        <Guidelines text={guidelines} />
      </div>
    </div>
  );
}

/** What annotators are told. Whoever knows it by heart folds it away. */
function Guidelines({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <details
      className="rounded-xl border bg-surface p-4"
      open={readStored('guidelines') !== 'folded'}
      onToggle={({ currentTarget }) => writeStored('guidelines', currentTarget.open ? null : 'folded')}
    >
      <summary className="font-medium">Guidelines</summary>
      <Paragraph text={text} className="mt-2 text-sm" />
    </details>
  );
}
