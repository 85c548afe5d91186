import type { ClaimAnswer } from '../index.ts';
import { labelOrder } from './words.ts';

/** How many claims have which label, in the labels' own order; labels that are not known come last. */
export function labelCounts(claims: readonly ClaimAnswer[]): [label: string, number: number][] {
  const groups = Map.groupBy(claims, ({ verdict }) => verdict.label as string);
  const rank = (label: string) => (labelOrder.includes(label) ? labelOrder.indexOf(label) : labelOrder.length);
  return [...groups]
    .map(([label, those]): [string, number] => [label, those.length])
    .toSorted(([a], [b]) => rank(a) - rank(b));
}
