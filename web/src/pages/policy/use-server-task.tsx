import { useCallback, useEffect, useRef, useState } from 'react';
import { isAbort } from '../../api/problem.ts';
import { Button } from '../../components/button.tsx';
import { ProblemNotice } from '../../components/placeholders.tsx';

interface TaskEvent {
  type: string;
  [member: string]: unknown;
}

interface TaskStream<Report> extends AsyncIterable<TaskEvent> {
  answer(): Promise<Report>;
}

export interface ServerTask<Report> {
  state: 'idle' | 'running' | 'done' | 'failed' | 'stopped';
  progress: { done: number; total: number | null } | null;
  report: Report | null;
  error: unknown;
  start(): void;
  stop(): void;
}

/** Work on the server that tells how far it is, and that can be stopped. Whoever leaves the page stops it. */
export function useServerTask<Report>(open: (signal: AbortSignal) => TaskStream<Report>): ServerTask<Report> {
  const [shown, setShown] = useState<Pick<ServerTask<Report>, 'state' | 'progress' | 'report' | 'error'>>({
    state: 'idle',
    progress: null,
    report: null,
    error: null,
  });
  const running = useRef<AbortController | null>(null);
  const start = useCallback(() => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setShown({ state: 'running', progress: null, report: null, error: null });
    void (async () => {
      try {
        const stream = open(control.signal);
        for await (const event of stream)
          if (event.type === 'progress' && !control.signal.aborted)
            setShown((before) => ({
              ...before,
              progress: {
                done: Number(event['done'] ?? 0),
                total: typeof event['total'] === 'number' ? event['total'] : null,
              },
            }));
        const report = await stream.answer();
        if (running.current === control) setShown({ state: 'done', progress: null, report, error: null });
      } catch (error) {
        if (running.current !== control) return;
        setShown((before) =>
          control.signal.aborted || isAbort(error)
            ? { ...before, state: 'stopped', progress: null }
            : { state: 'failed', progress: null, report: null, error },
        );
      }
    })();
  }, [open]);
  const stop = useCallback(() => running.current?.abort(), []);
  useEffect(() => () => running.current?.abort(), []);
  return { ...shown, start, stop };
}

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
