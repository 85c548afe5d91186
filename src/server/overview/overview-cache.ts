import type { Ledger } from '../../ledger/index.ts';
import type { News } from '../event-feed.ts';
import type { OneByOne } from '../concurrency-limit.ts';
import { dayMs, midnightBefore, overviewOf, type Overview, type OverviewTime } from './build-overview.ts';

/** Figures over a time, made once for all who ask within some seconds. */
export interface OverviewDesk {
  read(asked: { since?: Date; until?: Date; job?: OverviewTime['job']; offsetMinutes: number }): Promise<Overview>;
}

/**
 * What other processes did is seen after so long at most; what happened here at once, but for a second in which many
 * ask.
 */
const freshMs = 5_000;
const busyMs = 1_000;
const mostKept = 16;
const daysByDefault = 30;

export function openOverviewDesk(
  ledger: Ledger,
  { reads, news }: { reads: OneByOne; news: Pick<News, 'listen'> },
): OverviewDesk {
  const kept = new Map<string, { overview: Promise<Overview>; madeAt: number }>();
  let toldAt = -Infinity;
  news.listen(
    () => (toldAt = performance.now()),
    () => undefined,
  );
  const isFresh = (madeAt: number) => performance.now() - madeAt < (toldAt > madeAt ? busyMs : freshMs);

  return {
    read({ since, until, job, offsetMinutes }) {
      const key = JSON.stringify([since ?? null, until ?? null, job ?? null, offsetMinutes]);
      const known = kept.get(key);
      if (known && isFresh(known.madeAt)) return known.overview;
      const end = until ?? new Date();
      const overview = reads.take(() =>
        overviewOf(ledger, {
          since: since ?? new Date(midnightBefore(end, offsetMinutes).getTime() - (daysByDefault - 1) * dayMs),
          until: end,
          job,
          offsetMinutes,
        }),
      );
      kept.delete(key);
      kept.set(key, { overview, madeAt: performance.now() });
      overview.catch(() => kept.delete(key));
      for (const oldest of [...kept.keys()].slice(0, -mostKept)) kept.delete(oldest);
      return overview;
    },
  };
}
