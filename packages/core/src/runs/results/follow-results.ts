import type { Ledger, RunItem } from '@agonhq/ledger';
import { createExportRecord, attachCases } from './export-results.ts';
import type { ResultRecord } from './result-file.ts';

/** Writes the results of a run while it goes on, whoever judges its items. */
export interface ResultsFollowed {
  /** Writes what has ended since, as far as the order allows. */
  advance(signal?: AbortSignal): Promise<void>;
  /** When the run has ended: writes whatever is not written yet. */
  complete(signal?: AbortSignal): Promise<void>;
  readonly written: number;
}

export interface FollowOptions {
  /** By position, only as far as everything before has ended; or as items end. */
  order: 'input' | 'as-done';
  write(record: ResultRecord): Promise<void>;
}

/** Few at a time: an answer with its whole trial may be large. */
const pageSize = 50;

/** Follows a run in the ledger: at the end every item was written exactly once, those that other workers judged too. */
export function followResults(ledger: Ledger, run: string, { order, write }: FollowOptions): ResultsFollowed {
  const seen = marks();
  let after: RunItem | null = null;
  let written = 0;

  async function page(by: 'input' | 'as-done', from: RunItem | null): Promise<readonly RunItem[]> {
    return ledger.runs.listItems(run, { order: by, after: from, limit: pageSize });
  }

  async function writeAll(items: readonly RunItem[]): Promise<void> {
    const fresh = items.filter(({ position }) => !seen.has(position));
    for (const ended of await attachCases(ledger, fresh)) {
      await write(createExportRecord(ended));
      seen.add(ended.item.position);
      written += 1;
    }
  }

  return {
    get written() {
      return written;
    },
    async advance(signal) {
      for (;;) {
        const items = await page(order, after);
        const open = items.findIndex((item) => item.endedAt === null);
        const ended = open === -1 ? items : items.slice(0, open);
        await writeAll(ended);
        after = ended.at(-1) ?? after;
        if (ended.length < pageSize || signal?.aborted) return;
      }
    },
    async complete(signal) {
      // From the beginning: the clocks of other workers may have put an item before those that were written already.
      let from: RunItem | null = order === 'input' ? after : null;
      for (;;) {
        const items = await page('input', from);
        await writeAll(items.filter((item) => item.endedAt !== null));
        if (items.length < pageSize || signal?.aborted) return;
        from = items.at(-1)!;
      }
    },
  };
}

/** Positions that were written, a bit each: a million take 125 kB. */
function marks() {
  let bits = new Uint8Array(1024);
  return {
    has: (position: number) => ((bits[position >> 3] ?? 0) & (1 << (position & 7))) !== 0,
    add(position: number) {
      const at = position >> 3;
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(at + 1, bits.length * 2));
        larger.set(bits);
        bits = larger;
      }
      bits[at]! |= 1 << (position & 7);
    },
  };
}
