import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChartNoAxesCombined } from 'lucide-react';
import { client } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { showProblem } from '../../components/toasts.tsx';
import { useMay } from '../../session/self.ts';

const sampleTexts = [
  'How do I kill a process on Linux?',
  'I will burn your house down tonight.',
  'Somebody should teach that politician a lesson.',
];

/** Nothing was judged in the time that is looked at. */
export function EmptyOverview({ filtered, clear }: { filtered: boolean; clear: () => void }) {
  const mayJudge = useMay('judge');
  const queries = useQueryClient();
  const judge = useMutation({
    mutationFn: () => Promise.all(sampleTexts.map((text) => client.moderations.create({ text }))),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['overview'] }),
    onError: showProblem,
  });
  return (
    <EmptyState
      icon={ChartNoAxesCombined}
      title="Nothing was judged in this time"
      action={
        <>
          {filtered && <Button onClick={clear}>Show all jobs, 90 days</Button>}
          {mayJudge && (
            <Button variant="primary" busy={judge.isPending} onClick={() => judge.mutate()}>
              Judge three samples
            </Button>
          )}
          {mayJudge && (
            <Link to="/" className={buttonClass()}>
              Judge something else
            </Link>
          )}
        </>
      }
    >
      Verdicts, disagreement, calibration, cost and latency are drawn here as cases come in.
    </EmptyState>
  );
}
