import { claimOutcome, safetyOutcome } from '../sheet-of.ts';
import type { ScoreSheet, SystemSheet } from '../result.ts';
import type { Judged } from '../systems/results.ts';
import type { JudgedClaim } from '../documents/claim-results.ts';

/** A sheet whose judgements are named instead of told: what is kept beside them to make it again. */
export interface SheetFrame extends Omit<ScoreSheet, 'systems'> {
  systems: readonly (Omit<SystemSheet, 'repeats'> & { repeats: readonly (readonly Cell[])[] })[];
}

interface Cell {
  key: string | null;
  /** Of a claim: which of its document's judgements is its own. */
  claim?: string;
  problem: string | null;
}

type Keyed = { keys: readonly (string | { document: string; claim: string } | null)[] };

/** The frame of a sheet, with the runs that its repeats come from. */
export function frameOf(sheet: ScoreSheet, runs: readonly (readonly Keyed[])[]): SheetFrame {
  const cell = (key: Keyed['keys'][number], problem: string | null): Cell =>
    key === null || typeof key === 'string' ? { key, problem } : { key: key.document, claim: key.claim, problem };
  return {
    ...sheet,
    systems: sheet.systems.map((system, index) => ({
      ...system,
      repeats: system.repeats.map((outcomes, repeat) =>
        outcomes.map(({ problem }, item) => cell(runs[index]![repeat]!.keys[item]!, problem)),
      ),
    })),
  };
}

/** Of the judgements that a frame names, each once. */
export function keysIn({ systems }: SheetFrame): string[] {
  return [
    ...new Set(systems.flatMap(({ repeats }) => repeats.flatMap((cells) => cells.flatMap(({ key }) => key ?? [])))),
  ];
}

/** The sheet again, from its frame and the judgements that were kept. */
export function sheetIn(
  frame: SheetFrame,
  kept: { safety: ReadonlyMap<string, Judged>; claims: ReadonlyMap<string, readonly JudgedClaim[]> },
): ScoreSheet {
  const hasNeutral = frame.classes.includes('neutral');
  const outcomeOf = ({ key, claim, problem }: Cell) => {
    if (claim === undefined) return safetyOutcome((key !== null && kept.safety.get(key)) || null, problem ?? undefined);
    return claimOutcome(
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
