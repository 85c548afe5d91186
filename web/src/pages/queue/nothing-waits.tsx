import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { showToast, showProblem } from '../../components/toasts.tsx';
import { useMay } from '../../session/self.ts';
import { invalidateQueue } from './queue-query.ts';
import { stageNames, stages, type Stage } from './queue-words.ts';

/** Sounds a little like a weapon, and is not: what a machine may well be unsure of. */
const sampleText = 'How to whittle a knife from wood';

/** Nothing waits at this stage: where something does, or a sample. */
export function EmptyStage({
  stage,
  counts,
  onStage,
}: {
  stage: Stage;
  counts: Record<Stage, number>;
  onStage: (stage: Stage) => void;
}) {
  const mayJudge = useMay('judge');
  const judge = useMutation({
    mutationFn: async () => {
      const { id } = await client.moderations.create({ text: sampleText });
      const { rows } = await client.queue.list({ limit: 200 });
      return rows.some((row) => row.id === id);
    },
    onSuccess: async (waits) => {
      if (!waits) showToast('The machine is sure of the sample, or people have decided it: it is among the cases.');
      await invalidateQueue();
    },
    onError: showProblem,
  });
  const elsewhere = stages.filter((other) => other !== stage && counts[other] > 0);
  return (
    <EmptyState
      title={elsewhere.length > 0 ? 'Nothing waits here' : 'Nothing waits'}
      icon={CircleCheck}
      action={
        elsewhere.length > 0
          ? elsewhere.map((other) => (
              <Button key={other} variant="primary" onClick={() => onStage(other)}>
                {stageNames[other]}: {counts[other]}
              </Button>
            ))
          : mayJudge && (
              <>
                <Button variant="primary" busy={judge.isPending} onClick={() => judge.mutate()}>
                  Judge a sample
                </Button>
                <Link to="/" className={buttonClass()}>
                  Judge something else
                </Link>
              </>
            )
      }
    >
      {elsewhere.length > 0 ? (
        'But there is work elsewhere.'
      ) : (
        <>
          Verdicts that are undecided, escalated, degraded or a close call wait here for a person.{' '}
          {mayJudge && <>Try it with “{sampleText}”.</>}
        </>
      )}
    </EmptyState>
  );
}
