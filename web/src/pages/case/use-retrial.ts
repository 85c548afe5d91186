import { useCallback, useEffect, useRef, useState } from 'react';
import type { client } from '../../api/client.ts';
import { isAbort } from '../../api/problem.ts';
import { invalidateCase } from './case-query.ts';

export type Retrial = Awaited<ReturnType<typeof client.moderations.replay>>;
type RetrialStream = ReturnType<typeof client.moderations.streamReplay>;

/** An entry of the trial that is held again. */
export interface RetrialTurn {
  key: string;
  state: 'speaking' | 'recalled' | 'argued';
}

export interface RunningRetrial {
  state: 'idle' | 'held' | 'done' | 'failed' | 'stopped';
  heard: readonly RetrialTurn[];
  retrial: Retrial | null;
  error: unknown;
  start(): void;
  stop(): void;
  /** To try another change. */
  reset(): void;
}

const idle = { state: 'idle', heard: [], retrial: null, error: null } as const;

/** Holds a case again, and tells how far it is. Whoever leaves stops it. */
export function useRetrial(id: string, open: (signal: AbortSignal) => RetrialStream): RunningRetrial {
  const [shown, setShown] = useState<Pick<RunningRetrial, 'state' | 'heard' | 'retrial' | 'error'>>(idle);
  const control = useRef<AbortController | null>(null);
  const start = () => {
    control.current?.abort();
    const own = new AbortController();
    control.current = own;
    const show = (next: Partial<typeof shown>) => {
      if (control.current === own) setShown((before) => ({ ...before, ...next }));
    };
    setShown({ ...idle, state: 'held' });
    void (async () => {
      try {
        const heard = new Map<string, RetrialTurn>();
        const stream = open(own.signal);
        for await (const event of stream) {
          if (event.type === 'turn-start') heard.set(event.key, { key: event.key, state: 'speaking' });
          else if (event.type === 'turn-end')
            heard.set(event.key, { key: event.key, state: event.replayed ? 'recalled' : 'argued' });
          else continue;
          show({ heard: [...heard.values()] });
        }
        show({ state: 'done', retrial: await stream.answer() });
        await invalidateCase({ id });
      } catch (error) {
        show(own.signal.aborted || isAbort(error) ? { state: 'stopped' } : { state: 'failed', error });
      }
    })();
  };
  const stop = useCallback(() => control.current?.abort(), []);
  const reset = useCallback(() => {
    control.current?.abort();
    control.current = null;
    setShown(idle);
  }, []);
  useEffect(() => () => control.current?.abort(), []);
  return { ...shown, start, stop, reset };
}
