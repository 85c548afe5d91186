import { useEffect, useRef, useState } from 'react';
import { isAbort } from './problem.ts';

interface TaskStream<Event, Report> extends AsyncIterable<Event> {
  answer(): Promise<Report>;
}

interface TaskState<Progress, Report> {
  state: 'idle' | 'running' | 'done' | 'failed' | 'stopped';
  progress: Progress | null;
  report: Report | null;
  error: unknown;
}

export interface ServerTask<Progress, Report> extends TaskState<Progress, Report> {
  start(): void;
  stop(): void;
  reset(): void;
}

const idle = { state: 'idle', progress: null, report: null, error: null } as const;

/** Work on the server that tells how far it is, and that can be stopped. Whoever leaves the page stops it. */
export function useServerTask<Event, Progress, Report>(
  open: (signal: AbortSignal) => TaskStream<Event, Report>,
  follow: (before: Progress | null, event: Event) => Progress | null,
  onDone?: () => Promise<void>,
): ServerTask<Progress, Report> {
  const [shown, setShown] = useState<TaskState<Progress, Report>>(idle);
  const running = useRef<AbortController | null>(null);
  const start = () => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    const show = (change: (before: TaskState<Progress, Report>) => Partial<TaskState<Progress, Report>>) => {
      if (running.current === own) setShown((before) => ({ ...before, ...change(before) }));
    };
    setShown({ ...idle, state: 'running' });
    void (async () => {
      try {
        const stream = open(own.signal);
        for await (const event of stream) show(({ progress }) => ({ progress: follow(progress, event) }));
        const report = await stream.answer();
        show(() => ({ state: 'done', report }));
        await onDone?.();
      } catch (error) {
        show(() => (own.signal.aborted || isAbort(error) ? { state: 'stopped' } : { state: 'failed', error }));
      }
    })();
  };
  const reset = () => {
    running.current?.abort();
    running.current = null;
    setShown(idle);
  };
  useEffect(() => () => running.current?.abort(), []);
  return { ...shown, start, stop: () => running.current?.abort(), reset };
}
