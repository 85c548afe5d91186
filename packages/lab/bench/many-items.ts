import type { ItemResult, Ledger, NewRunItem } from '@agonhq/ledger';
import { sha256 } from '@agonhq/engine/hash';
import { fillLedger, nameCase } from './many-cases.ts';

/* Runs of many items over the cases of many-cases.ts, for benchmarks of grids. */

const atOnce = 500;
const labels = ['safe', 'unsafe'] as const;

/** The runs that `fillRuns` makes. */
export const manyRuns = { before: 'run-many-before', after: 'run-many-after' } as const;

/**
 * Puts two runs of the same items on record, each with a case: the second decides one in twenty otherwise. Four in
 * seven have a true label, one in a hundred failed.
 */
export async function fillRuns(ledger: Ledger, items: number): Promise<void> {
  await fillLedger(ledger, items, { trials: false });
  for (const [name, run] of Object.entries(manyRuns)) {
    await ledger.runs.startRun({
      id: run,
      name: `${items} items ${name}`,
      job: 'moderation',
      configuration: name,
      settings: null,
      input: null,
    });
    for (let first = 0; first < items; first += atOnce)
      await ledger.runs.putItems(
        run,
        Array.from({ length: Math.min(atOnce, items - first) }, (_, index) => makeItem(first + index)),
      );
    await ledger.runs.markLoaded(run, items);
    await judgeItems(ledger, run);
    await ledger.runs.endRun(run, 'finished');
  }
}

function makeItem(index: number): NewRunItem {
  return {
    position: index + 1,
    key: `item-${index + 1}`,
    hash: sha256(`item ${index}`),
    input: null,
    expected: index % 7 < 4 ? labels[Number(index % 3 === 0 || index % 14 === 0)]! : null,
  };
}

async function judgeItems(ledger: Ledger, run: string): Promise<void> {
  const queue = await ledger.openQueue({ worker: 'many-items' });
  for (;;) {
    const taken = await queue.takeItems(run, atOnce);
    if (taken.length === 0) break;
    await Promise.all(
      taken.map((item) => {
        const index = item.position - 1;
        if (index % 100 !== 99) return queue.finishItem(item, makeResult(index, run === manyRuns.after));
        const error = { code: 'timeout', message: 'The model did not answer.', hint: 'Try again.' };
        return queue.failItem(item, error, { retry: false });
      }),
    );
  }
  await queue.close();
}

function makeResult(index: number, isAfter: boolean): ItemResult {
  const isUnsafe = (index % 3 === 0) !== (isAfter && index % 20 === 7);
  return {
    case: nameCase(index),
    label: labels[Number(isUnsafe)]!,
    risk: ((index * 37 + (isAfter ? 5 : 0)) % 100) / 100,
    escalate: index % 50 === 0,
    by: 'debate',
    usage: {
      calls: 4,
      inputTokens: 1_000 + (index % 700),
      outputTokens: 100,
      cachedTokens: 0,
      costUsd: (1_000 + (index % 700)) * 1e-6,
      latencyMs: 100 + ((index * 13) % 4_000),
    },
  };
}
