import type { Ledger } from '@agonhq/ledger';
import type { EventFeed } from '../event-feed.ts';
import type { Sequence } from '@agonhq/engine/concurrency-limit';
import { dayMs, findMidnight, buildOverview, type Overview, type OverviewTime } from './build-overview.ts';

/** Figures over a time, made once for all who ask within some seconds. */
export interface OverviewCache {
  readOverview(asked: {
    since?: Date;
    until?: Date;
    job?: OverviewTime['job'];
    offsetMinutes: number;
  }): Promise<Overview>;
}

/**
 * What other processes did is seen after so long at most; what happened here at once, but for a second in which many
 * ask.
 */
const freshMs = 5_000;
const busyMs = 1_000;
const mostKept = 16;
const daysByDefault = 30;

export function openOverviewCache(
  ledger: Ledger,
  { reads, feed }: { reads: Sequence; feed: Pick<EventFeed, 'subscribe'> },
): OverviewCache {
  const kept = new Map<string, { overview: Promise<Overview>; madeAt: number }>();
  let reportedAt = -Infinity;
  feed.subscribe(
    () => (reportedAt = performance.now()),
    () => undefined,
  );
  const isFresh = (madeAt: number) => performance.now() - madeAt < (reportedAt > madeAt ? busyMs : freshMs);

  return {
    readOverview({ since, until, job, offsetMinutes }) {
      const key = JSON.stringify([since ?? null, until ?? null, job ?? null, offsetMinutes]);
      const known = kept.get(key);
      if (known && isFresh(known.madeAt)) return known.overview;
      const end = until ?? new Date();
      const overview = reads.take(() =>
        buildOverview(ledger, {
          since: since ?? new Date(findMidnight(end, offsetMinutes).getTime() - (daysByDefault - 1) * dayMs),
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
