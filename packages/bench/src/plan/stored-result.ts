import { toItemResult } from '../build-result.ts';
import type { JobBench } from '../job-bench.ts';
import type { BenchResult, SystemResult } from '../result.ts';
import type { KeptAnswer } from '../systems/results.ts';
import type { JudgementKey } from '../systems/run-system.ts';

/** A result whose judgements are named instead of told: what is kept beside them to make it again. */
export interface StoredResult extends Omit<BenchResult, 'systems'> {
  systems: readonly (Omit<SystemResult, 'repeats'> & { repeats: readonly (readonly StoredOutcome[])[] })[];
}

export interface StoredOutcome {
  key: string | null;
  /** Of a claim: which of its document's judgements is its own. */
  claim?: string;
  problem: string | null;
}

/** A result as it is stored, with the runs that its repeats come from. */
export function toStoredResult(
  result: BenchResult,
  runs: readonly (readonly { keys: readonly (JudgementKey | null)[] }[])[],
): StoredResult {
  return {
    ...result,
    systems: result.systems.map((system, index) => ({
      ...system,
      repeats: system.repeats.map((outcomes, repeat) =>
        outcomes.map(({ problem }, item): StoredOutcome => ({
          ...(runs[index]![repeat]!.keys[item] ?? { key: null }),
          problem,
        })),
      ),
    })),
  };
}

/** Of the judgements that a stored result names, each once. */
export function listJudgementKeys({ systems }: StoredResult): string[] {
  return [
    ...new Set(systems.flatMap(({ repeats }) => repeats.flatMap((cells) => cells.flatMap(({ key }) => key ?? [])))),
  ];
}

/** The result again, from what was stored and the judgements that were kept. */
export function restoreResult(
  bench: JobBench,
  stored: StoredResult,
  records: ReadonlyMap<string, unknown>,
): BenchResult {
  const read = new Map<string, ReadonlyMap<string, KeptAnswer>>();
  const findKept = ({ key, claim = '' }: StoredOutcome) => {
    if (key === null) return null;
    if (!read.has(key)) read.set(key, bench.readRecord(records.get(key)));
    return read.get(key)!.get(claim) ?? null;
  };
  return {
    ...stored,
    systems: stored.systems.map((system) => ({
      ...system,
      repeats: system.repeats.map((outcomes) =>
        outcomes.map((outcome) => toItemResult(bench, findKept(outcome), stored.classes, outcome.problem ?? undefined)),
      ),
    })),
  };
}
