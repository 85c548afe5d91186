import { expect, test } from 'vitest';
import { blowKinds, planBlows } from './plan-blows.ts';
import { diskNames, linkNames, processNames } from './town.ts';

const targets = { processes: processNames, links: linkNames, disks: diskNames };
const halfAnHourMs = 1_800_000;

test('the same seed gives the same blows, another seed others', () => {
  expect(planBlows(7, halfAnHourMs, targets)).toEqual(planBlows(7, halfAnHourMs, targets));
  expect(planBlows(7, halfAnHourMs, targets)).not.toEqual(planBlows(8, halfAnHourMs, targets));
});

test('a shorter time has the first blows of a longer one', () => {
  const [short, long] = [planBlows(7, 60_000, targets), planBlows(7, halfAnHourMs, targets)];
  const comparable = (blows: typeof short) => blows.map(({ at, kind, target }) => ({ at, kind, target }));
  expect(comparable(long).slice(0, short.length)).toEqual(comparable(short));
});

test('half an hour has blows of every kind, two at once among them, in order and within its time', () => {
  const blows = planBlows(7, halfAnHourMs, targets);
  expect(new Set(blows.map(({ kind }) => kind))).toEqual(new Set(blowKinds));
  expect(blows.length).toBeGreaterThan(300);
  expect(blows.some(({ at }, index) => blows[index + 1]?.at === at)).toBe(true);
  expect(blows.map(({ at }) => at)).toEqual(blows.map(({ at }) => at).toSorted((a, b) => a - b));
  expect(blows.at(-1)!.at).toBeLessThan(halfAnHourMs);
});

test('what cannot be done here is left out, and the others stay as they are', () => {
  const all = planBlows(7, halfAnHourMs, targets);
  const without = planBlows(7, halfAnHourMs, targets, { clock: 'libfaketime is not installed' });
  expect(without).toEqual(all.filter(({ kind }) => kind !== 'clock'));
});
