import { sha256 } from '../../hash.ts';
import type { CaseFilter, Ledger } from '../../ledger/index.ts';
import { pagesOfItems } from '../results/pages-of-items.ts';

/** Which cases of the record are meant. */
export interface PastCases {
  /** Those of a run; `since` and `job` hold for all others. */
  run?: string;
  since?: Date;
  job?: 'moderation' | 'evaluation';
  /** The newest so many. */
  limit?: number;
  /** So many, drawn from them by the seed: the same seed draws the same. */
  sample?: number;
  seed?: number;
}

/** Ids of cases that were judged by a policy: no retrials, no dossiers, none whose content was forgotten. */
export async function* pastCases(
  ledger: Ledger,
  { sample, seed = 0, ...wanted }: PastCases,
): AsyncGenerator<string, void, void> {
  if (sample === undefined) yield* limited(ledger, wanted);
  else yield* drawn(limited(ledger, wanted), sample, seed);
}

async function* limited(
  ledger: Ledger,
  { limit = Infinity, ...wanted }: PastCases,
): AsyncGenerator<string, void, void> {
  let number = 0;
  for await (const id of wanted.run === undefined ? fromRecord(ledger, wanted) : fromRun(ledger, wanted.run)) {
    if (number >= limit) return;
    number += 1;
    yield id;
  }
}

async function* fromRun(ledger: Ledger, run: string): AsyncGenerator<string, void, void> {
  for await (const page of pagesOfItems(ledger, run, { states: ['done'] }))
    for (const { result } of page) if (result) yield result.case;
}

async function* fromRecord(ledger: Ledger, { since, job }: PastCases): AsyncGenerator<string, void, void> {
  const filter: CaseFilter = { finished: true, ...(since ? { since } : {}), ...(job ? { job } : {}) };
  let after: string | null = null;
  do {
    const { rows, next } = await ledger.cases.listCases(filter, { limit: 500, after });
    for (const { id, job: of, again, forgottenAt } of rows)
      if (of !== 'documents' && again === null && forgottenAt === null) yield id;
    after = next;
  } while (after !== null);
}

/** Those whose hash with the seed is lowest: a draw that stays the same while cases are added elsewhere. */
async function* drawn(ids: AsyncIterable<string>, sample: number, seed: number): AsyncGenerator<string, void, void> {
  const kept: { id: string; rank: string }[] = [];
  for await (const id of ids) {
    const rank = sha256(`${seed}:${id}`);
    if (kept.length >= sample && rank >= kept.at(-1)!.rank) continue;
    const at = kept.findIndex((other) => other.rank > rank);
    kept.splice(at === -1 ? kept.length : at, 0, { id, rank });
    if (kept.length > sample) kept.pop();
  }
  for (const { id } of kept) yield id;
}
