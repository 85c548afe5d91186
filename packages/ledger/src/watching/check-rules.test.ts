import { expect, test } from 'vitest';
import { createTally } from '../index.ts';
import { watchRuleSchema } from './watched.ts';
import { figureReadings, measureDrift, testWindow } from './check-rules.ts';

const flaggedOf = (flagged: number, cases: number) => figureReadings.flagged({ ...createTally(), flagged, cases });
const rule = (test: object) => watchRuleSchema.parse({ name: 'r', figure: 'flagged', windowMinutes: 60, test });

test('the two-proportion test is the one of the books: 30 of 100 against 200 of 1000 is 2.34 standard errors', () => {
  expect(measureDrift('flagged', flaggedOf(30, 100), flaggedOf(200, 1000), 10)).toBeCloseTo(2.345, 2);
});

test('means are told apart by their own spread', () => {
  const mean = (values: number[]) => ({
    ...createTally(),
    latency: {
      count: values.length,
      sum: values.reduce((sum, value) => sum + value, 0),
      squares: values.reduce((sum, value) => sum + value ** 2, 0),
    },
  });
  const [now, before] = [
    figureReadings.latency(mean([20, 22, 24, 26])),
    figureReadings.latency(mean([10, 12, 14, 16])),
  ];
  expect(measureDrift('latency', now, before, 1)).toBeCloseTo(10 / Math.sqrt((20 / 3 / 4) * 2), 6);
});

test('a drift needs enough cases, enough certainty, enough of a change and the right direction', () => {
  const drift = rule({ kind: 'drift', windows: 10, z: 3, least: 30 });
  expect(testWindow(drift, flaggedOf(60, 100), flaggedOf(200, 1000)).fires).toBe(true);
  expect(testWindow(drift, flaggedOf(22, 100), flaggedOf(200, 1000)).fires).toBe(false);
  expect(testWindow(drift, flaggedOf(20, 20), flaggedOf(200, 1000)).fires).toBeNull();
  expect(testWindow(drift, flaggedOf(90, 100), flaggedOf(2, 20)).fires).toBeNull();
  const large = rule({ kind: 'drift', windows: 10, z: 3, least: 30, change: 0.5 });
  expect(testWindow(large, flaggedOf(60, 100), flaggedOf(200, 1000)).fires).toBe(false);
  const down = rule({ kind: 'drift', windows: 10, z: 3, least: 30, direction: 'down' });
  expect(testWindow(down, flaggedOf(60, 100), flaggedOf(200, 1000)).fires).toBe(false);
  expect(testWindow(down, flaggedOf(0, 100), flaggedOf(200, 1000)).fires).toBe(true);
});

test('a bound is absolute; that nothing comes in breaks one on the number of cases', () => {
  const bound = rule({ kind: 'bound', above: 0.3 });
  expect(testWindow(bound, flaggedOf(40, 100), null)).toMatchObject({ fires: true, why: 'above 0.3' });
  expect(testWindow(bound, flaggedOf(30, 100), null).fires).toBe(false);
  expect(testWindow(bound, flaggedOf(4, 10), null).fires).toBeNull();
  const traffic = { ...rule({ kind: 'bound', below: 10 }), figure: 'cases' as const };
  expect(testWindow(traffic, figureReadings.cases(createTally()), null).fires).toBe(true);
});

test('a count is held against the mean of the windows before', () => {
  const counts = (cases: number) => figureReadings.cases({ ...createTally(), cases });
  const traffic = { ...rule({ kind: 'drift', windows: 4, z: 3 }), figure: 'cases' as const };
  expect(testWindow(traffic, counts(0), counts(400))).toMatchObject({ fires: true, before: 100 });
  expect(testWindow(traffic, counts(110), counts(400)).fires).toBe(false);
});
