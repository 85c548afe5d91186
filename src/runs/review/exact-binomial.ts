import { binomialCdf, exactUpperBound } from '../cascade/binomial.ts';

/**
 * The interval that holds a share with this confidence, when `wrong` of `number` were seen (Clopper and Pearson:
 * exact, never too narrow).
 *
 * @example clopperPearson(0, 100) // [0, 0.0362…]
 */
export function clopperPearson(wrong: number, number: number, confidence = 0.95): readonly [number, number] {
  if (number === 0) return [0, 1];
  const tail = (1 - confidence) / 2;
  return [1 - exactUpperBound(number - wrong, number, tail), exactUpperBound(wrong, number, tail)];
}

/**
 * How likely so uneven a split of `a + b` changes is when both directions are equally likely (McNemar's exact test,
 * two-sided).
 */
export function mcnemarExact(a: number, b: number): number {
  const tail = binomialCdf(Math.min(a, b), a + b, 0.5);
  // Half of a distribution or more, but for rounding.
  return tail > 0.5 - 1e-9 ? 1 : 2 * tail;
}
