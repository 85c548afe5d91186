import { useCallback, useEffect, useRef, useState } from 'react';
import type { client } from '../../api/client.ts';
import { isAbort } from '../../api/problem.ts';
import type { Answer, Job } from '../../api/types.ts';
import { useSelf } from '../../session/session.ts';
import { invalidateCase } from '../cases/use-case-list.ts';

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
        await invalidateCase(id);
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

/**
 * The seats of a case that can be filled otherwise, with who sat there. Who voted without a role sits in the seats of
 * the debate.
 */
export function useSeats(job: Job, { provenance }: Answer): readonly (readonly [seat: string, model: string])[] {
  const { models } = useSelf();
  const withoutRole = Object.keys(provenance.models).some((seat) => /^(?:vote|peer|control)\b/.test(seat));
  return Object.entries(withoutRole ? (models[job] ?? {}) : provenance.models);
}

/** Models that can be named: those of the server's seats, and those of the case. */
export function useModels({ provenance }: Answer): string[] {
  const { models } = useSelf();
  return [
    ...new Set([
      ...Object.values(models).flatMap((seats) => Object.values(seats)),
      ...Object.values(provenance.models),
    ]),
  ].sort();
}
