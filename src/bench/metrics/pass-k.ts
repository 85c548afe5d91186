import { meanOf } from './mean.ts';

/** One item over several repeats. */
export interface Trials {
  right: number;
  runs: number;
}

/**
 * pass^k: how likely k repeats of an item are all right, as the mean over items. For each it is the share of its
 * choices of k repeats that hold right ones only, C(right, k) / C(runs, k), which is unbiased. Null where no item has
 * k repeats.
 */
export function passK(items: readonly Trials[], k: number): number | null {
  return meanOf(items.filter(({ runs }) => runs >= k).map((trials) => allRight(trials, k)));
}

function allRight({ right, runs }: Trials, k: number): number {
  if (right < k) return 0;
  let share = 1;
  for (let taken = 0; taken < k; taken++) share *= (right - taken) / (runs - taken);
  return share;
}
