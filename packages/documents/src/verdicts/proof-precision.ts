import type { NumberCheck } from '../numbers/finding.ts';
import type { ClaimLabel } from '../analysis.ts';

/**
 * How often a verdict with a proof of a kind was right, in held-out made-up reports (`npm run bench:statements`): that,
 * and no judge's own word, is its confidence. Null where nothing was measured.
 */
const measured: Partial<Record<ClaimLabel, { all: number; by: Partial<Record<NumberCheck, number>> }>> = {
  'verified-strong': { all: 0.99, by: {} },
  contradicted: { all: 0.95, by: { count: 0.33 } },
};

export function findPrecision(label: ClaimLabel, check: NumberCheck | null): number | null {
  const known = measured[label];
  return known === undefined ? null : ((check === null ? undefined : known.by[check]) ?? known.all);
}
