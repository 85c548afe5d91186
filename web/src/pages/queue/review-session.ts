import { useSyncExternalStore } from 'react';

/* What somebody did at the desk since the page was loaded. */

export interface Decision {
  label: 'safe' | 'unsafe';
  why: string;
  clause?: string;
}

export interface Unsent {
  id: string;
  decision: Decision;
  by: { by?: string };
  /** Who decided: whoever signs in after them does not send it in another name. */
  reviewer: string | null;
}

interface ReviewSession {
  decided: number;
  /** Decided or skipped: not offered again. */
  passed: ReadonlySet<string>;
  /** Decisions that did not reach the server. */
  unsent: readonly Unsent[];
}

let session: ReviewSession = { decided: 0, passed: new Set(), unsent: [] };
const listeners = new Set<() => void>();

function setSession(next: Partial<ReviewSession>): void {
  session = { ...session, ...next };
  for (const listener of listeners) listener();
}

export function useReviewSession(): ReviewSession {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => session,
  );
}

export const reviewSession = {
  passedBy: () => session.passed,
  pass: (id: string) => setSession({ passed: new Set([...session.passed, id]) }),
  sent: (id: string) =>
    setSession({
      decided: session.decided + 1,
      passed: new Set([...session.passed, id]),
      unsent: session.unsent.filter((one) => one.id !== id),
    }),
  keepUnsent: (unsent: Unsent) =>
    setSession({
      unsent: [
        ...session.unsent.filter(({ id, reviewer }) => id !== unsent.id || reviewer !== unsent.reviewer),
        unsent,
      ],
    }),
  dropUnsent: (id: string) => setSession({ unsent: session.unsent.filter((one) => one.id !== id) }),
  /** Those who were passed by are offered again. */
  startOver: () => setSession({ passed: new Set() }),
};
