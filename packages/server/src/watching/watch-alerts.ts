import type { Ledger } from '@agonhq/ledger';
import { checkRules, type CheckReport } from '@agonhq/ledger/watching';
import type { Sequence } from '@agonhq/engine/concurrency-limit';
import type { EventFeed } from '../event-feed.ts';
import { errorCode, type LogLine } from '../log.ts';

/** Looks at the rules from time to time, and tells of what it finds. */
export interface AlertWatch {
  /** Looks at once. */
  check(signal?: AbortSignal): Promise<CheckReport>;
  close(): Promise<void>;
}

const everyMs = 60_000;

export function openAlertWatch({
  ledger,
  feed,
  reads,
  log,
}: {
  ledger: Pick<Ledger, 'alerts' | 'watching'>;
  feed: Pick<EventFeed, 'publish'>;
  reads: Sequence;
  log: (line: LogLine) => void;
}): AlertWatch {
  let working: Promise<unknown> = Promise.resolve();

  async function look(): Promise<CheckReport> {
    const report = await checkRules(ledger);
    // What a command raised, or another server that is gone, is told too: by whoever comes first, once.
    for (const { alert, event } of await ledger.alerts.takeUntold()) {
      const { id, rule, value, finding, raisedAt, endedAt } = alert;
      const { name, figure, by, job } = rule.rule;
      const at = (event === 'raised' ? raisedAt : (endedAt ?? new Date())).toISOString();
      feed.publish({
        type: `alert-${event}`,
        at,
        alert: { id, rule: rule.id, name, figure, job, by, value, ...finding },
      });
    }
    return report;
  }

  const check = (signal?: AbortSignal) => {
    const report = reads.take(look, signal);
    working = report.catch(() => undefined);
    return report;
  };
  const timer = setInterval(
    () => void check().catch((error: unknown) => log({ level: 'warn', event: 'watching', code: errorCode(error) })),
    everyMs,
  ).unref();
  return {
    check,
    async close() {
      clearInterval(timer);
      await working;
    },
  };
}
