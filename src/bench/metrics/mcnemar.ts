import { binomialCdf } from '../../runs/index.ts';

export { mcnemarExact } from '../../runs/index.ts';

/**
 * McNemar's mid-p test, two-sided: less cautious than the exact one, which rejects too seldom (Fagerland, Lydersen
 * and Laake 2013).
 */
export function mcnemarMidP(onlyFirst: number, onlySecond: number): number {
  const [fewer, all] = [Math.min(onlyFirst, onlySecond), onlyFirst + onlySecond];
  if (all === 0) return 1;
  const [upTo, below] = [binomialCdf(fewer, all, 0.5), binomialCdf(fewer - 1, all, 0.5)];
  return onlyFirst === onlySecond ? 1 - (upTo - below) / 2 : upTo + below;
}
