import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/problem-notice.tsx';
import type { ServerTask } from './use-work.ts';

/** How far work is, and a way to stop it. */
export function TaskProgress({ work, what }: { work: ServerTask<unknown>; what: string }) {
  if (work.state === 'failed') return <ProblemNotice error={work.error} retry={work.start} />;
  if (work.state === 'stopped')
    return (
      <p role="status" className="text-quiet">
        Stopped.
      </p>
    );
  if (work.state !== 'running') return null;
  const { done = 0, total = null } = work.progress ?? {};
  return (
    <div className="flex flex-wrap items-center gap-3">
      <progress
        aria-label={what}
        className="h-2 w-48 accent-link"
        {...(total === null ? {} : { value: done, max: Math.max(1, total) })}
      />
      <span className="text-sm text-quiet tabular-nums">{total === null ? 'Starting…' : `${done} of ${total}`}</span>
      <Button size="small" onClick={work.stop}>
        Stop
      </Button>
    </div>
  );
}
