import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agon } from '../support/run-agon.ts';

/* Rules are added and checked by command. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agon-watch-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) =>
  agon(args, { cwd: folder, environment: { AGON_HOME: folder, AGON_LEDGER: path.join(folder, 'ledger.sqlite') } });

test('a rule is added, breaks, is told by the exit code, and is removed', async () => {
  const wrong = await run('watch', 'add', '--name', 'x', '--figure', 'nothing');
  expect(wrong.code).toBe(2);
  const added = await run('watch', 'add', '--name', 'Any case', '--figure', 'cases', '--above', '0', '--json');
  const { id } = JSON.parse(added.stdout) as { id: string };
  expect(await run('watch', 'check')).toMatchObject({ code: 0 });
  await run('moderate', 'The garden is green today.', '--json');
  const raised = await run('watch', 'check', '--json');
  expect(raised.code).toBe(3);
  expect(JSON.parse(raised.stdout)).toMatchObject({
    rules: 1,
    raised: [{ rule: id, name: 'Any case', now: 1, why: 'above 0' }],
  });
  const again = await run('watch', 'check');
  expect(again).toMatchObject({ code: 3 });
  expect(again.stdout).toContain('stands  Any case: cases 1, above 0');
  expect((await run('watch', 'rules')).stdout).toContain('Any case: cases within 60 min, above 0');
  expect((await run('watch', 'remove', id)).code).toBe(0);
  expect((await run('watch', 'remove', id)).code).toBe(1);
  expect((await run('watch', 'check')).code).toBe(0);
});
