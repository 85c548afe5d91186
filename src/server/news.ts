import type { CaseRow } from '../api/index.ts';

/** What happened on this server, without any content. */
export type NewsItem =
  | { type: 'verdict' | 'escalation'; at: string; case: Pick<CaseRow, 'id' | 'job' | 'label' | 'score' | 'probability' | 'escalate' | 'rule' | 'categories' | 'degraded' | 'run' | 'seal'> }
  | { type: 'decision'; at: string; case: string; label: string; verdict: string; by: string }
  | { type: 'run-ended'; at: string; run: { id: string; name: string | null; job: string; state: string; problem: string | null } };

/** Tells everybody who listens. */
export interface News {
  tell(item: NewsItem): void;
  /** Returns what ends the listening. */
  listen(listener: (item: NewsItem) => void): () => void;
}

export function openNews(): News {
  const listeners = new Set<(item: NewsItem) => void>();
  return {
    tell(item) {
      for (const listener of listeners) listener(item);
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
