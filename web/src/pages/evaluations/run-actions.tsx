import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { client } from '../../api/client.ts';
import type { RunReport } from '../../api/types.ts';
import { Button, buttonClass } from '../../components/button.tsx';
import { showToast, showProblem } from '../../components/toasts.tsx';
import { useMay } from '../../session/self.ts';
import { invalidateRuns } from './evaluations-query.ts';

/** What can be done with a run as it stands. */
export function RunActions({ run: { id, state, counts } }: { run: RunReport }) {
  const mayJudge = useMay('judge');
  const change = useMutation({
    mutationFn: (how: 'cancel' | 'resume' | 'retry') => client.runs[how](id),
    onSuccess: async (_, how) => {
      showToast(
        { cancel: 'The run was stopped.', resume: 'The run goes on.', retry: 'What failed is judged again.' }[how],
      );
      await invalidateRuns();
    },
    onError: showProblem,
  });
  const address = (format: string) => `/api/runs/${encodeURIComponent(id)}/export?format=${format}`;
  return (
    <>
      {mayJudge && state === 'running' && (
        <Button busy={change.isPending} onClick={() => change.mutate('cancel')}>
          Stop
        </Button>
      )}
      {mayJudge && (state === 'stopped' || state === 'cancelled' || state === 'failed') && (
        <Button busy={change.isPending} onClick={() => change.mutate('resume')}>
          Go on
        </Button>
      )}
      {mayJudge && state === 'finished' && counts.failed > 0 && (
        <Button busy={change.isPending} onClick={() => change.mutate('retry')}>
          Judge failed items again
        </Button>
      )}
      <a className={buttonClass()} href={address('jsonl')} download>
        <Download aria-hidden className="size-4" /> JSON Lines
      </a>
      <a className={buttonClass()} href={address('csv')} download>
        <Download aria-hidden className="size-4" /> CSV
      </a>
    </>
  );
}
