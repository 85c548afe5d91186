import { toClaimItemResult, toSafetyItemResult } from '../build-result.ts';
import type { BenchResult, SystemResult } from '../result.ts';
import type { KeptJudgement } from '../systems/results.ts';
import type { JudgedClaim } from '../jobs/documents/run-claims.ts';

/** A result whose judgements are named instead of told: what is kept beside them to make it again. */
export interface StoredResult extends Omit<BenchResult, 'systems'> {
  systems: readonly (Omit<SystemResult, 'repeats'> & { repeats: readonly (readonly Cell[])[] })[];
}

interface Cell {
  key: string | null;
  /** Of a claim: which of its document's judgements is its own. */
  claim?: string;
  problem: string | null;
}

type Keyed = { keys: readonly (string | { document: string; claim: string } | null)[] };

/** The frame of a result, with the runs that its repeats come from. */
export function toStoredResult(result: BenchResult, runs: readonly (readonly Keyed[])[]): StoredResult {
  const cell = (key: Keyed['keys'][number], problem: string | null): Cell =>
    key === null || typeof key === 'string' ? { key, problem } : { key: key.document, claim: key.claim, problem };
  return {
    ...result,
    systems: result.systems.map((system, index) => ({
      ...system,
      repeats: system.repeats.map((outcomes, repeat) =>
        outcomes.map(({ problem }, item) => cell(runs[index]![repeat]!.keys[item]!, problem)),
      ),
    })),
  };
}

/** Of the judgements that a frame names, each once. */
export function listJudgementKeys({ systems }: StoredResult): string[] {
  return [
    ...new Set(systems.flatMap(({ repeats }) => repeats.flatMap((cells) => cells.flatMap(({ key }) => key ?? [])))),
  ];
}

/** The result again, from its frame and the judgements that were kept. */
export function restoreResult(
  frame: StoredResult,
  kept: { safety: ReadonlyMap<string, KeptJudgement>; claims: ReadonlyMap<string, readonly JudgedClaim[]> },
): BenchResult {
  const hasNeutral = frame.classes.includes('neutral');
  const outcomeOf = ({ key, claim, problem }: Cell) => {
    if (claim === undefined)
      return toSafetyItemResult((key !== null && kept.safety.get(key)) || null, problem ?? undefined);
    return toClaimItemResult(
      kept.claims.get(key!)?.find((judged) => judged.key === claim) ?? null,
      hasNeutral,
      problem ?? undefined,
    );
  };
  return {
    ...frame,
    systems: frame.systems.map((system) => ({
      ...system,
      repeats: system.repeats.map((cells) => cells.map(outcomeOf)),
    })),
  };
}
