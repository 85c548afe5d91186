import { readFindings as readAll, type ReadFinding } from '@agonhq/engine/view';
import type { TrialTurn } from './trial-view.ts';

/** What an arbiter found, by name; null until it was heard. */
export function readTurnFindings(
  turn: TrialTurn | undefined,
  names: readonly string[],
): Readonly<Record<string, ReadFinding>> | null {
  if (turn === undefined || turn.state !== 'said' || turn.fallback !== null) return null;
  return Object.fromEntries(readAll(turn, names));
}
