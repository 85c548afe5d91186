import type { Ledger, LedgerLine } from '../src/ledger/index.ts';
import { sha256 } from '../src/hash.ts';
import { fillLedger } from './many-cases.ts';

/* Runs of many items over the cases of many-cases.ts, for benchmarks of grids. */

const began = '2026-02-01T00:00:00.000Z';
const labels = ['safe', 'unsafe'] as const;

/** The runs that `fillRuns` makes. */
export const manyRuns = { before: 'run-many-before', after: 'run-many-after' } as const;

/**
 * Puts two runs of the same items on record, each with a case: the second decides one in twenty otherwise. Four in
 * seven have a true label, one in a hundred failed.
 */
export async function fillRuns(ledger: Ledger, items: number): Promise<void> {
  await fillLedger(ledger, items, { trials: false });
  await ledger.import(linesOfRuns(items));
}

async function* linesOfRuns(items: number): AsyncGenerator<LedgerLine> {
  for (const [name, run] of Object.entries(manyRuns)) {
    yield {
      kind: 'run',
      version: 1,
      id: run,
      name: `${items} items ${name}`,
      job: 'moderation',
      configuration: name,
      settings: null,
      input: null,
      state: 'finished',
      total: items,
      startedAt: began,
      endedAt: began,
    };
    for (let index = 0; index < items; index += 1) yield itemOf(run, index, run === manyRuns.after);
  }
}

function itemOf(run: string, index: number, isAfter: boolean): LedgerLine {
  const isUnsafe = (index % 3 === 0) !== (isAfter && index % 20 === 7);
  const failed = index % 100 === 99;
  return {
    kind: 'run-item',
    version: 1,
    run,
    position: index + 1,
    key: `item-${index + 1}`,
    hash: sha256(`item ${index}`),
    input: null,
    expected: index % 7 < 4 ? labels[Number(index % 3 === 0 || index % 14 === 0)]! : null,
    state: failed ? 'failed' : 'done',
    sameAs: null,
    attempts: 1,
    result: failed
      ? null
      : {
          case: `mod-${sha256(String(index)).slice(7, 23)}`,
          label: labels[Number(isUnsafe)]!,
          score: ((index * 37 + (isAfter ? 5 : 0)) % 100) / 100,
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
        },
    error: failed ? { code: 'timeout', message: 'The model did not answer.', hint: 'Try again.' } : null,
    endedAt: began,
  };
}
