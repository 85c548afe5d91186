import { expect, test } from 'vitest';
import { waitForOwnTurn } from './prose.ts';

test('those who ask together have a turn of the loop each', async () => {
  let turn = 0;
  let counted: NodeJS.Immediate;
  const count = (): void => {
    turn += 1;
    counted = setImmediate(count);
  };
  count();
  const turns = await Promise.all(
    [1, 2, 3].map(async () => {
      await waitForOwnTurn();
      return turn;
    }),
  );
  clearImmediate(counted!);
  expect(new Set(turns).size).toBe(3);
});
