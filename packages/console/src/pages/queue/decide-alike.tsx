import { useMutation, useQuery } from '@tanstack/react-query';
import { CopyCheck } from 'lucide-react';
import { useState } from 'react';
import { client, type SentAlikeCase } from '../../api/client.ts';
import { alikeQuery, invalidate } from '../../api/query-options.ts';
import { LabelBadge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Card, ProblemNotice } from '../../components/page.tsx';
import { PlainText } from '../../components/text.tsx';
import { showPercent } from '../../charts/format-figures.ts';
import type { Reviewer } from '../../session/reviewer.tsx';
import type { SessionDecision } from './review-session.ts';

interface DecideAlikeProps {
  id: string;
  decision: SessionDecision;
  reviewer: Reviewer;
}

/** From so alike on, a case is ticked before anybody looks. */
const tickedFrom = 0.9;

/** After a decision: the undecided cases of the queue that are alike, to be decided in the same way. */
export function DecideAlike({ id, decision, reviewer }: DecideAlikeProps) {
  const alike = useQuery(alikeQuery(id, reviewer.by));
  const [open, setOpen] = useState(false);
  const rows = alike.data?.rows.filter(({ heldBy }) => heldBy === null) ?? [];
  // What is being shown stays, whatever is left once it was decided.
  if (rows.length === 0 && !open) return null;
  return (
    <Card className="grid gap-3">
      <p>
        {rows.length === 1
          ? 'One undecided case of this queue is alike.'
          : `${rows.length} undecided cases of this queue are alike.`}
      </p>
      <Dialog
        wide
        open={open}
        onOpenChange={setOpen}
        title="Decide alike cases too"
        description="Each ticked case gets a decision of its own, in your name and with the same reason."
        trigger="Decide alike cases too"
        triggerLook={{ icon: CopyCheck, className: 'justify-self-start' }}
      >
        <Confirmation rows={rows} decision={decision} reviewer={reviewer} onDone={() => void alike.refetch()} />
      </Dialog>
    </Card>
  );
}

interface ConfirmationProps extends Omit<DecideAlikeProps, 'id'> {
  rows: readonly SentAlikeCase[];
  onDone: () => void;
}

/** Shows every case that is about to be decided, and afterwards what became of each. */
function Confirmation({ rows: found, decision, reviewer, onDone }: ConfirmationProps) {
  // Those that were shown when it was opened, whatever comes in meanwhile.
  const [rows] = useState(found);
  const [ticked, setTicked] = useState(
    () => new Set(rows.filter(({ similarity }) => similarity >= tickedFrom).map(({ id }) => id)),
  );
  const decide = useMutation({
    mutationFn: () => client.queue.decideMany({ cases: [...ticked], ...decision, ...reviewer.by }),
    onSuccess: async () => {
      onDone();
      await invalidate('queue');
    },
  });
  const outcome = new Map(decide.data?.rows.map((row) => [row.case, row]));
  const tick = (id: string, on: boolean) =>
    setTicked(new Set([...ticked].filter((one) => one !== id).concat(on ? id : [])));
  return (
    <>
      <p className="flex flex-wrap items-center gap-2">
        <LabelBadge label={decision.label} />
        <PlainText className="words min-w-0" text={decision.why} />
        {decision.clause && <code className="font-mono text-sm text-quiet">{decision.clause}</code>}
      </p>
      <ul aria-label="Alike cases" className="max-h-[50dvh] divide-y overflow-y-auto rounded-lg border" tabIndex={0}>
        {rows.map(({ id, excerpt, similarity }) => (
          <li key={id} className="p-3">
            <label className="grid grid-cols-[auto_1fr_auto] items-start gap-3">
              <input
                type="checkbox"
                className="mt-1 size-4.5 accent-link"
                checked={ticked.has(id)}
                disabled={decide.isSuccess}
                onChange={(event) => tick(id, event.target.checked)}
              />
              <span className="words min-w-0">{excerpt ? <PlainText text={excerpt} /> : 'Image without text'}</span>
              <span className="text-sm text-quiet tabular-nums">{showPercent(similarity)} alike</span>
            </label>
            <p role="status" className="ml-7.5 text-sm">
              {outcome.get(id)?.decided && <span className="text-exoneration">Recorded.</span>}
              {outcome.get(id)?.problem && (
                <span className="words text-risk">Not recorded: {outcome.get(id)!.problem!.detail}</span>
              )}
            </p>
          </li>
        ))}
      </ul>
      {decide.error && <ProblemNotice error={decide.error} />}
      {decide.isSuccess ? (
        <p role="status" className="font-medium">
          {decide.data.recorded} of {ticked.size} recorded.
        </p>
      ) : (
        <Button
          variant="primary"
          className="justify-self-start"
          busy={decide.isPending}
          disabled={ticked.size === 0}
          onClick={() => decide.mutate()}
        >
          {ticked.size === 1 ? 'Record 1 decision' : `Record ${ticked.size} decisions`}
        </Button>
      )}
    </>
  );
}
