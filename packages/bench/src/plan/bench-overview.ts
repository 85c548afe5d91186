import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Jobs } from '@agonhq/judges/job';
import { z } from 'zod';
import type { BenchJudgement, Ledger } from '@agonhq/ledger';
import { debateSchema } from '../systems/results.ts';
import { computeFiguresInWorker } from '../figures/compute-in-worker.ts';
import type { SetFigures } from '../figures/set-figures.ts';
import type { BenchResult, ResultTurn } from '../result.ts';
import { readStoredSets } from './bench-record.ts';
import type { StoredOutcome, StoredResult } from './stored-result.ts';

/**
 * A bench on record without what its debates said: small enough to be kept at hand, and made without holding the
 * thread.
 */
export interface BenchOverview {
  id: string;
  /** Those that it has come to. */
  sets: readonly SetOverview[];
}

export interface SetOverview {
  /** Without turns. */
  result: BenchResult;
  /** Which judgement each of its outcomes is. */
  stored: StoredResult;
  figures: SetFigures;
}

const judgementsAtOnce = 50;

/** Reads a bench by its whole id. */
export async function readBenchOverview(
  { benches }: Pick<Ledger, 'benches'>,
  id: string,
  jobs?: Jobs,
): Promise<BenchOverview> {
  const results = await readStoredSets(
    {
      readJudgements: (of) => withoutTurns(benches.readJudgements(of)),
      findAttached: (of, name) => benches.findAttached(of, name),
    },
    id,
    jobs,
  );
  const sets: SetOverview[] = [];
  for (const { result, stored } of results)
    sets.push({ result, stored, figures: await computeFiguresInWorker(result) });
  return { id, sets };
}

async function* withoutTurns(judgements: AsyncIterable<BenchJudgement>): AsyncGenerator<BenchJudgement> {
  let read = 0;
  for await (const { key, result } of judgements) {
    yield { key, result: lean(result) };
    // A file of SQLite is read without waiting: others would never have their turn.
    if ((read += 1) % judgementsAtOnce === 0) await nextTurn();
  }
}

function lean(kept: unknown): unknown {
  if (typeof kept !== 'object' || kept === null) return kept;
  const { claims } = kept as { claims?: unknown };
  return {
    ...kept,
    turns: [],
    ...(Array.isArray(claims)
      ? {
          claims: claims.map((claim: unknown) =>
            typeof claim === 'object' && claim !== null ? { ...claim, turns: [] } : claim,
          ),
        }
      : {}),
  };
}

const spoken = debateSchema.pick({ turns: true });
const spokenOfClaims = z.object({ claims: z.array(spoken.extend({ key: z.string() })) });

/** What the debates behind some outcomes said, in their order; nothing of those that kept nothing. */
export async function readTurns(
  { benches }: Pick<Ledger, 'benches'>,
  id: string,
  outcomes: readonly StoredOutcome[],
): Promise<(readonly ResultTurn[])[]> {
  const kept = await benches.findJudgements(id, [...new Set(outcomes.flatMap(({ key }) => key ?? []))]);
  return outcomes.map(({ key, claim }) => {
    const result = key === null ? undefined : kept.get(key);
    if (claim === undefined) return spoken.safeParse(result).data?.turns ?? [];
    return spokenOfClaims.safeParse(result).data?.claims.find((judged) => judged.key === claim)?.turns ?? [];
  });
}
