import type { Ledger } from '@agonhq/ledger';
import type { EventFeed } from '../event-feed.ts';

type WatchFigures = Ledger['watching'];

/** What lies so far back is counted once: only decisions still change it. */
const settledMs = 10 * 60_000;
/** What other processes decided or imported is seen after so long at most. */
const keptMs = 10 * 60_000;
const mostKept = 4_000;

/** Figures whose past steps are kept in memory, until somebody decides a case here. */
export function rememberSteps({ readCounts }: WatchFigures, { subscribe }: Pick<EventFeed, 'subscribe'>): WatchFigures {
  const kept = new Map<string, { answer: ReturnType<WatchFigures['readCounts']>; at: number }>();
  subscribe(
    ({ type }) => {
      if (type === 'decision') kept.clear();
    },
    () => kept.clear(),
  );
  return {
    readCounts(question) {
      const now = Date.now();
      if (question.to.getTime() > now - settledMs) return readCounts(question);
      const key = JSON.stringify(question);
      const known = kept.get(key);
      if (known && now - known.at < keptMs) return known.answer;
      const answer = readCounts(question);
      kept.set(key, { answer, at: now });
      answer.catch(() => kept.delete(key));
      if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
      return answer;
    },
  };
}
