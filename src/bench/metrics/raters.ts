import { meanOf } from './mean.ts';

/** Whether all who rated an item said the same of it. */
export function unanimous(raters: readonly string[]): boolean {
  return raters.every((label) => label === raters[0]);
}

/** The share of raters who gave this label: a soft label. */
export function shareOf(raters: readonly string[], label: string): number {
  return raters.length === 0 ? 0 : raters.filter((given) => given === label).length / raters.length;
}

/** How often one rater, picked at random for each item, would have said what was said. Nobody says `undecided`. */
export function agreementWithRaters(items: readonly { said: string; raters: readonly string[] }[]): number | null {
  return meanOf(items.map(({ said, raters }) => shareOf(raters, said)));
}

/** The mean square of what a probability was off from the share of raters. */
export function softBrier(items: readonly { probability: number; share: number }[]): number | null {
  return meanOf(items.map(({ probability, share }) => (probability - share) ** 2));
}
