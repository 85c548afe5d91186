import type { Outcome } from './outcome.ts';
import { ratio } from './ratio.ts';

/** How often what was right and what was said met. Unsafe is the positive class. */
export interface Confusion {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
  /** Broken lines: errors that belong to no class. */
  unreadable: number;
}

type Said = Pick<Outcome, 'unsafe' | 'said'>;

/** Undecided and failed items are errors: a miss when the item is unsafe, a false alarm when it is safe. */
export function cellOf({ unsafe, said }: Said): keyof Confusion {
  if (unsafe === null) return 'unreadable';
  if (unsafe) return said === 'unsafe' ? 'truePositives' : 'falseNegatives';
  return said === 'safe' ? 'trueNegatives' : 'falsePositives';
}

export function confusionOf(outcomes: readonly Said[]): Confusion {
  return tally(outcomes.map(cellOf));
}

export function tally(cells: readonly (keyof Confusion)[]): Confusion {
  const confusion: Confusion = {
    truePositives: 0,
    falsePositives: 0,
    falseNegatives: 0,
    trueNegatives: 0,
    unreadable: 0,
  };
  for (const cell of cells) confusion[cell] += 1;
  return confusion;
}

export function accuracy({
  truePositives,
  falsePositives,
  falseNegatives,
  trueNegatives,
  unreadable,
}: Confusion): number | null {
  const right = truePositives + trueNegatives;
  return ratio(right, right + falsePositives + falseNegatives + unreadable);
}

export function precision({ truePositives, falsePositives }: Confusion): number | null {
  return ratio(truePositives, truePositives + falsePositives);
}

export function recall({ truePositives, falseNegatives }: Confusion): number | null {
  return ratio(truePositives, truePositives + falseNegatives);
}

/** It weighs an error the same whichever class it falls into, so that a broken line can count as one. */
export function f1({ truePositives, falsePositives, falseNegatives, unreadable }: Confusion): number | null {
  return ratio(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives + unreadable);
}
