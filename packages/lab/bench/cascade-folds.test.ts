import { expect, test } from 'vitest';
import { type ScoredItem } from '@agonhq/core/runs';
import { heldOut } from './cascade-folds.ts';
import { randomNumbers } from '@agonhq/engine/statistics';

/** Items of a guard whose chance of being wrong falls from `worst` at the bar to nothing at the ends. */
function drawn(count: number, worst: number): ScoredItem[] {
  const random = randomNumbers(count);
  return Array.from({ length: count }, (): ScoredItem => {
    const score = random();
    const mistaken = random() < worst * (1 - Math.abs(2 * score - 1)) ** 2;
    return { score, label: score < 0.5 !== mistaken ? 'safe' : 'unsafe' };
  });
}

const goal = { risk: 0.05, confidence: 0.95, divisions: 5 };

test('on held-out folds the risk stays at or under the stated bound, and a good part is decided without a debate', () => {
  const { risk, decided, bands, fits, clearlyAbove } = heldOut(drawn(1_200, 0.5), goal);
  expect(bands).toBe(fits);
  expect(risk.share).toBeGreaterThan(0);
  expect(risk.to).toBeLessThanOrEqual(0.05);
  expect(clearlyAbove).toBe(0);
  expect(decided).toBeGreaterThan(0.25);
});

test('a guard that knows nothing decides nothing: no risk, and no fit above it', () => {
  const random = randomNumbers(3);
  const useless = Array.from({ length: 800 }, (): ScoredItem => ({
    score: random(),
    label: random() < 0.5 ? 'safe' : 'unsafe',
  }));
  expect(heldOut(useless, goal)).toMatchObject({ fits: 25, bands: 0, decided: 0, risk: { share: 0 }, above: 0 });
});

test('a band that does not hold outside of what it was fitted on is counted as above', () => {
  // All mistakes have one score: where they lie in the fold held out, the band that was fitted without them decides
  // them.
  const clear = Array.from({ length: 400 }, (_, index): ScoredItem => ({
    score: index / 400,
    label: index < 200 ? 'safe' : 'unsafe',
  }));
  const odd = Array.from({ length: 6 }, (): ScoredItem => ({ score: 0.3, label: 'unsafe' }));
  const { above, clearlyAbove, fits } = heldOut([...clear, ...odd], { ...goal, risk: 0.03, divisions: 20 });
  expect(above).toBeGreaterThan(0);
  expect(above).toBeLessThan(fits / 2);
  expect(clearlyAbove).toBeLessThan(above);
});

test('items without a score are debated', () => {
  const half = drawn(1_200, 0.3).map((item, index) => (index % 2 === 0 ? item : { ...item, score: null }));
  expect(heldOut(half, goal).decided).toBeLessThanOrEqual(0.5);
});
