import { expect, test } from 'vitest';
import { randomNumbers, type ScoredItem } from '../src/runs/index.ts';
import { heldOut } from './cascade-folds.ts';

/** Items of a guard whose chance of being wrong falls from `worst` at the bar to nothing at the ends. */
function drawn(count: number, worst: number): ScoredItem[] {
  const random = randomNumbers(count);
  return Array.from({ length: count }, (): ScoredItem => {
    const score = random();
    const mistaken = random() < worst * (1 - Math.abs(2 * score - 1)) ** 2;
    return { score, label: score < 0.5 !== mistaken ? 'safe' : 'unsafe' };
  });
}

const goal = { risk: 0.05, confidence: 0.95, repeats: 5 };

test('on held-out folds the risk stays at or under the stated bound, and a good part is decided without a debate', () => {
  const { risk, decided, bands, fits } = heldOut(drawn(1_200, 0.5), goal);
  expect(bands).toBe(fits);
  expect(risk!.to).toBeLessThanOrEqual(0.05);
  expect(decided.mean).toBeGreaterThan(0.25);
});

test('a guard that knows nothing decides nothing', () => {
  const random = randomNumbers(3);
  const useless = Array.from({ length: 800 }, (): ScoredItem => ({ score: random(), label: random() < 0.5 ? 'safe' : 'unsafe' }));
  expect(heldOut(useless, goal)).toMatchObject({ bands: 0, decided: { mean: 0 }, risk: null });
});

test('items without a score are debated', () => {
  const half = drawn(1_200, 0.3).map((item, index) => (index % 2 === 0 ? item : { ...item, score: null }));
  expect(heldOut(half, goal).decided.to).toBeLessThanOrEqual(0.5);
});
