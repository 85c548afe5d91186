import type { CaseRow } from '../api/index.ts';

/** What happened on this server, without any content. */
export type NewsItem =
  | {
      type: 'verdict' | 'escalation';
      at: string;
      case: Pick<
        CaseRow,
        | 'id'
        | 'job'
        | 'label'
        | 'score'
        | 'probability'
        | 'escalate'
        | 'rule'
        | 'categories'
        | 'degraded'
        | 'run'
        | 'seal'
      >;
    }
  | { type: 'decision'; at: string; case: string; label: string; verdict: string; by: string }
  | {
      type: 'run-ended';
      at: string;
      run: { id: string; name: string | null; job: string; state: string; problem: string | null };
    };

/** Tells everybody who listens. */
export interface News {
  tell(item: NewsItem): void;
  /** Returns what ends the listening; `onClose` is called when there will be no more. */
  listen(listener: (item: NewsItem) => void, onClose?: () => void): () => void;
  /** Nothing will be told any more. */
  close(): void;
}

export function openNews(): News {
  const listeners = new Map<(item: NewsItem) => void, (() => void) | undefined>();
  let closed = false;
  return {
    tell(item) {
      for (const listener of listeners.keys()) listener(item);
    },
    listen(listener, onClose) {
      if (closed) onClose?.();
      else listeners.set(listener, onClose);
      return () => void listeners.delete(listener);
    },
    close() {
      closed = true;
      for (const onClose of listeners.values()) onClose?.();
      listeners.clear();
    },
  };
}
