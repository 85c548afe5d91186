import type { Usage } from '@agonhq/engine/debate';
import type { RunCounts, ItemError, ItemResult, TakenItem } from '@agonhq/ledger';

/** Where a run stands, as this process knows it; what other workers do is counted every few seconds. */
export interface RunProgress {
  /** Items read from the input so far, and in all once the input is read. */
  read: number;
  total: number | null;
  done: number;
  failed: number;
  same: number;
  waiting: number;
  running: number;
  byLabel: Record<string, number>;
  byGuard: number;
  failuresByCode: Record<string, number>;
  /** Items a second over the last half minute. */
  rate: number;
  etaSeconds: number | null;
  usage: Pick<Usage, 'calls' | 'inputTokens' | 'outputTokens' | 'cachedTokens' | 'costUsd'>;
}

const windowMs = 30_000;

/** Counts a run from where it stands, and tells how fast it goes. */
export function createRunMeter(
  from: RunCounts,
  knownTotal: number | null,
  now: () => number = () => performance.now(),
) {
  const started = now();
  let counts = from;
  let total = knownTotal;
  let read = from.waiting + from.running + from.done + from.failed + from.same;
  let running = 0;
  /** When how many had ended, one entry a second at most: memory stays the same, however fast it goes. */
  const marks: { at: number; ended: number }[] = [{ at: started, ended: from.done + from.failed }];

  return {
    read({ items, same, broken }: { items: number; same: number; broken: readonly string[] }) {
      read = Math.max(read, items);
      counts = {
        ...counts,
        same: Math.max(counts.same, same),
        failed: counts.failed + broken.length,
        failuresByCode: broken.reduce(plusOne, counts.failuresByCode),
      };
    },
    loaded() {
      total = read;
    },
    start() {
      running += 1;
    },
    leave() {
      running -= 1;
    },
    end({ outcome }: EndedItem) {
      counts = after(counts, outcome);
    },
    /** What is on record, when others work on the run too. */
    adjust(recorded: RunCounts) {
      counts = recorded;
      read = Math.max(read, recorded.waiting + recorded.running + recorded.done + recorded.failed + recorded.same);
    },
    report(): RunProgress {
      const time = now();
      const ended = counts.done + counts.failed;
      if (time - marks.at(-1)!.at >= 1_000) marks.push({ at: time, ended });
      while (marks.length > 1 && marks[1]!.at <= time - windowMs) marks.shift();
      const [first] = marks;
      const seconds = (time - first!.at) / 1000;
      const rate = seconds > 0 ? (ended - first!.ended) / seconds : 0;
      const left = read - ended - counts.same;
      const { done, failed, same, byLabel, byGuard, failuresByCode, usage } = counts;
      return {
        read,
        total,
        done,
        failed,
        same,
        waiting: Math.max(0, left - running),
        running,
        byLabel,
        byGuard,
        failuresByCode,
        rate,
        etaSeconds: total === null || rate === 0 ? null : left / rate,
        usage,
      };
    },
  };
}

function after(counts: RunCounts, outcome: EndedItem['outcome']): RunCounts {
  if ('error' in outcome)
    return { ...counts, failed: counts.failed + 1, failuresByCode: plusOne(counts.failuresByCode, outcome.error.code) };
  const { label, by, escalate, usage } = outcome.result;
  const spent = counts.usage;
  return {
    ...counts,
    done: counts.done + 1,
    byLabel: plusOne(counts.byLabel, label),
    byGuard: counts.byGuard + Number(by === 'guard'),
    escalated: counts.escalated + Number(escalate),
    usage: {
      calls: spent.calls + usage.calls,
      inputTokens: spent.inputTokens + usage.inputTokens,
      outputTokens: spent.outputTokens + usage.outputTokens,
      cachedTokens: spent.cachedTokens + usage.cachedTokens,
      costUsd: spent.costUsd === null || usage.costUsd === null ? null : spent.costUsd + usage.costUsd,
      latencyMs: spent.latencyMs + usage.latencyMs,
    },
  };
}

function plusOne(counted: Record<string, number>, name: string): Record<string, number> {
  return { ...counted, [name]: (counted[name] ?? 0) + 1 };
}

/** An item with what came of it. */
export interface EndedItem {
  item: TakenItem;
  outcome: { result: ItemResult } | { error: ItemError };
}
