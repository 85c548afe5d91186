import { useCallback, useEffect, useRef, useState } from 'react';
import { isAbort } from '../../api/problem.ts';

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
