import { expect, test } from 'vitest';
import { openProcessItems, type Takes } from './process-items.ts';
import type { TakenItem } from './workers.ts';

/** Runs whose items wait in lists. */
function openRuns(runs: Record<string, { several?: number[]; alone?: number[] }>) {
  const at = (run: string, positions: number[]): TakenItem[] =>
    positions.map((position) => ({
      run,
      position,
      key: `${position}`,
      hash: `${position}`,
      input: null,
      expected: null,
      attempts: 0,
    }));
  return (run: string): Takes => ({
    takeSeveral: async () => at(run, runs[run]!.several?.splice(0, 2) ?? []),
    isOneToTryAlone: async () => (runs[run]!.alone ?? []).length > 0,
    takeOneAlone: async () => at(run, runs[run]!.alone?.splice(0, 1) ?? []),
  });
}

test('an item is tried by itself when no worker of the process has anything, and none takes anything meanwhile', async () => {
  const held = openProcessItems();
  const of = openRuns({ a: { alone: [1, 2] }, b: { several: [1, 2, 3, 4] } });
  const busy = await held.take('worker-b', 'b', of('b'));
  expect(await held.take('worker-a', 'a', of('a'))).toEqual([]);
  held.letGo('worker-b', busy);
  const alone = await held.take('worker-a', 'a', of('a'));
  expect(alone).toMatchObject([{ run: 'a', position: 1 }]);
  expect(await held.take('worker-b', 'b', of('b'))).toEqual([]);
  held.letGo('worker-a', alone);
  expect(await held.take('worker-a', 'a', of('a'))).toMatchObject([{ position: 2 }]);
});

test('other runs make room for what waits to be tried by itself, and go on when it was or its worker has left', async () => {
  const held = openProcessItems();
  const of = openRuns({ a: { alone: [1] }, b: { several: [1, 2, 3, 4, 5, 6] } });
  const busy = await held.take('worker-b', 'b', of('b'));
  expect(await held.take('worker-a', 'a', of('a'))).toEqual([]);
  expect(await held.take('worker-b', 'b', of('b')), 'it would never be its turn').toEqual([]);
  held.letGo('worker-b', busy);
  expect(await held.take('worker-a', 'a', of('a'))).toMatchObject([{ run: 'a' }]);
  held.leave('worker-a');
  expect(await held.take('worker-b', 'b', of('b')), 'nobody asks for room again').toHaveLength(2);
});

test('two that take at the same moment never have one beside an item that is tried by itself', async () => {
  const held = openProcessItems();
  const of = openRuns({ a: { alone: [1] }, b: { several: [1, 2] } });
  const taken = (await Promise.all([held.take('worker-a', 'a', of('a')), held.take('worker-b', 'b', of('b'))])).flat();
  expect(new Set(taken.map(({ run }) => run)).size).toBe(1);
});
