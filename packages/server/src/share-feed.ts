import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { schemas } from './api/index.ts';
import type { Ledger } from '@agonhq/ledger';
import type { EventFeed, FeedEvent } from './event-feed.ts';
import { errorCode, type LogLine } from './log.ts';

/**
 * What happens in such a moment is told in one statement: a commit that notifies takes a lock of the whole PostgreSQL,
 * which those who judge wait for.
 */
const gatherMs = 50;
const mostAtOnce = 500;
/** While the ledger is away, so many are held. */
const mostHeld = 5_000;

const noticeSchema = z.object({ from: z.string(), item: schemas.newsEvent });

export interface SharedFeedOptions {
  notices: NonNullable<Ledger['notices']>;
  log: (line: LogLine) => void;
}

/**
 * A feed that tells other servers of the ledger what happens here, and tells here what happens there for as long as
 * somebody wants to hear it. Whoever is away at that moment misses it, as those do who do not listen.
 */
export function shareFeed(feed: EventFeed, { notices, log }: SharedFeedOptions): EventFeed {
  const self = randomUUID();
  const held: FeedEvent[] = [];
  let lost = 0;
  let telling: Promise<void> | null = null;
  let hearers = 0;
  let listening: { heard: Promise<void>; end: AbortController } | null = null;

  async function tellAll(): Promise<void> {
    while (held.length > 0) {
      await pause(gatherMs);
      const batch = held.splice(0, mostAtOnce).map((item) => JSON.stringify({ from: self, item }));
      try {
        lost += await notices.tell(batch);
      } catch (error) {
        lost += batch.length;
        log({ level: 'warn', event: 'feed', problem: 'the ledger is away', code: errorCode(error) });
      }
    }
    if (lost > 0) log({ level: 'warn', event: 'feed', problem: 'other servers were not told', lost });
    lost = 0;
  }

  function tellHere(notice: string): void {
    const { from, item } = noticeSchema.parse(JSON.parse(notice));
    // Whoever told it has put its deliveries on record.
    if (from !== self) feed.publish(item as FeedEvent, { isRecorded: true });
  }

  function hear(): NonNullable<typeof listening> {
    const end = new AbortController();
    const listener = (notice: string) => {
      try {
        tellHere(notice);
      } catch (error) {
        // Of another release, or of somebody else's program.
        log({ level: 'warn', event: 'feed', problem: 'not understood', code: errorCode(error) });
      }
    };
    return { heard: notices.hear(listener, end.signal), end };
  }

  return {
    ...feed,
    publish(item, note) {
      feed.publish(item, note);
      if (held.length < mostHeld) held.push(item);
      else lost += 1;
      telling ??= tellAll().finally(() => (telling = null));
    },
    async hearOthers() {
      hearers += 1;
      listening ??= hear();
      await listening.heard;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        hearers -= 1;
        if (hearers > 0) return;
        listening?.end.abort();
        listening = null;
      };
    },
    async close() {
      listening?.end.abort();
      await feed.close();
      await telling;
    },
  };
}
