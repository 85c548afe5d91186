import { readFindings as readAll, type Finding } from '../../../src/view/index.ts';
import type { TurnView } from './trial-view.ts';

/** What an arbiter found, by name; null until it was heard. */
export function readFindings(
  turn: TurnView | undefined,
  names: readonly string[],
): Readonly<Record<string, Finding>> | null {
  if (turn === undefined || turn.state !== 'said' || turn.fallback !== null) return null;
  return Object.fromEntries(readAll(turn, names));
}
