import { useState } from 'react';
import { client, type QueueDecided } from '../../api/client.ts';
import { describeProblem } from '../../api/problem.ts';
import { createStore, readStored, writeStored } from '../../browser-storage.ts';
import { invalidate } from '../../api/query-options.ts';

/* What somebody decided since the page was loaded. */

export interface SessionDecision {
  label: 'safe' | 'unsafe';
  why: string;
  clause?: string;
  /** Absent, what the policy asks for. */
  action?: string;
}

export interface Unsent {
  id: string;
  decision: SessionDecision;
  by: { by?: string };
  /** Who decided: whoever signs in after them does not send it in another name. */
  reviewer: string | null;
}

interface ReviewSession {
  decided: number;
  /** Decided or skipped: not offered again. */
  passed: ReadonlySet<string>;
  unsent: readonly Unsent[];
}

const session = createStore<ReviewSession>({ decided: 0, passed: new Set(), unsent: [] });
const setSession = (next: Partial<ReviewSession>) => session.set({ ...session.get(), ...next });

export const useReviewSession = session.useState;

export const reviewSession = {
  passedBy: () => session.get().passed,
  pass: (id: string) => setSession({ passed: new Set([...session.get().passed, id]) }),
  sent: (id: string) =>
    setSession({
      decided: session.get().decided + 1,
      passed: new Set([...session.get().passed, id]),
      unsent: session.get().unsent.filter((one) => one.id !== id),
    }),
  keepUnsent: (unsent: Unsent) =>
    setSession({
      unsent: [
        ...session.get().unsent.filter(({ id, reviewer }) => id !== unsent.id || reviewer !== unsent.reviewer),
        unsent,
      ],
    }),
  dropUnsent: (id: string) => setSession({ unsent: session.get().unsent.filter((one) => one.id !== id) }),
  /** Those who were passed by are offered again. */
  startOver: () => setSession({ passed: new Set() }),
};

/** Sends a decision. One that the server did not hear is kept, to be sent again; sent twice, it is on record once. */
export async function sendDecision(unsent: Unsent): Promise<QueueDecided> {
  try {
    const decided = await client.queue.decide(unsent.id, { ...unsent.decision, ...unsent.by });
    reviewSession.sent(unsent.id);
    void invalidate('queue');
    return decided;
  } catch (error) {
    const { status } = describeProblem(error);
    if (status === null || status >= 500) reviewSession.keepUnsent(unsent);
    else reviewSession.dropUnsent(unsent.id);
    throw error;
  }
}

/** Whether content comes before the machine's opinion: unless somebody turned it off, and that is remembered. */
export function useBlindMode(): [blind: boolean, turn: (blind: boolean) => void] {
  const [blind, setBlind] = useState(() => readStored('queue-blind') !== 'off');
  return [
    blind,
    (next) => {
      writeStored('queue-blind', next ? null : 'off');
      setBlind(next);
    },
  ];
}
