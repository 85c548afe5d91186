import type { Ledger, OverdueCase } from '@agonhq/ledger';
import type { EventFeed, FeedEvent } from '../event-feed.ts';
import { errorCode, type LogLine } from '../log.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

/** Looks from time to time what in the queues has become overdue, and tells of it. */
export interface OverdueWatch {
  /** Looks at once; says of how many it told. */
  check(): Promise<number>;
  close(): Promise<void>;
}

const everyMs = 30_000;

export function openOverdueWatch({
  ledger,
  feed,
  webhooks,
  log,
}: {
  ledger: Pick<Ledger, 'queues'>;
  feed: Pick<EventFeed, 'publish'>;
  webhooks: Pick<Webhooks, 'address' | 'send'>;
  log: (line: LogLine) => void;
}): OverdueWatch {
  let working: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function look(): Promise<number> {
    for (let told = 0; ;) {
      const now = new Date();
      const overdue = await ledger.queues.takeOverdue(now, (one) => webhooks.address(describeOverdue(one, now)));
      // Their deliveries are on record with them: a server that dies here has told of them, and nobody does again.
      for (const one of overdue) feed.publish(describeOverdue(one, now), { isRecorded: true });
      if (overdue.length > 0) webhooks.send();
      told += overdue.length;
      if (overdue.length === 0 || closed) return told;
    }
  }

  const check = () => {
    const looked = working.then(look);
    working = looked.catch(() => undefined);
    return looked;
  };
  const checkOrLog = () =>
    void check().catch((error: unknown) => log({ level: 'warn', event: 'overdue', code: errorCode(error) }));
  // What became overdue while no server ran is told first.
  checkOrLog();
  const timer = setInterval(checkOrLog, everyMs).unref();
  return {
    check,
    async close() {
      closed = true;
      clearInterval(timer);
      await working;
    },
  };
}

function describeOverdue({ id, item, job, stage, queue, dueAt, assigned }: OverdueCase, now: Date): FeedEvent {
  return {
    type: 'overdue',
    at: now.toISOString(),
    case: id,
    item,
    job,
    stage,
    queue,
    due: dueAt.toISOString(),
    assigned,
  };
}
