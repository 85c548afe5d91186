import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { holdCase, openedCase } from '../support/ledger-cases.ts';
import { openNewLedger } from '../support/new-ledger.ts';
import { agon, startAgon } from '../support/run-agon.ts';
async function makePlace() {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-care-'));
  const at = (name: string) => path.join(folder, name);
  const environment = { AGON_HOME: at('home') };
  const run = (...args: string[]) => agon(args, { cwd: folder, environment });
  return { folder, at, environment, run };
}

async function makeLedger(file: string, cases = 2): Promise<void> {
  const ledger = await openNewLedger(file);
  for (let number = 1; number <= cases; number += 1)
    await holdCase(ledger, openedCase(`case-${number}`, { context: { author: `user-${number}` } }));
  await ledger.close();
}

test('a backup that is killed leaves no file of its name, and a restore that is killed no ledger', async () => {
  const { at, environment, run } = await makePlace();
  await makeLedger(at('ledger.sqlite'), 300);
  const backup = () =>
    startAgon(['ledger', 'backup', '--out', at('b.backup'), '--ledger', at('ledger.sqlite')], { environment });
  const { child, ended } = backup();
  await expect
    .poll(async () => (await readdir(at('.'))).some((name) => name.includes('.part-')), {
      timeout: 30_000,
      interval: 1,
    })
    .toBe(true)
    .catch(() => undefined);
  child.kill('SIGKILL');
  await ended;
  const whole = (await readdir(at('.'))).includes('b.backup');
  if (!whole) expect((await backup().ended).code).toBe(0);
  expect(await run('ledger', 'restore', at('b.backup'), '--check')).toMatchObject({ code: 0 });

  const restoring = startAgon(['ledger', 'restore', at('b.backup'), '--ledger', at('r.sqlite')], { environment });
  await expect
    .poll(() => readMark(at('r.sqlite')), { timeout: 30_000, interval: 1 })
    .toBe(true)
    .catch(() => undefined);
  restoring.child.kill('SIGKILL');
  await restoring.ended;
  const stats = await run('ledger', 'stats', '--json', '--ledger', at('r.sqlite'));
  if (stats.code === 0) expect(JSON.parse(stats.stdout)).toMatchObject({ debates: 300 });
  else {
    expect(stats.stderr).toMatch(/\((unfinished-restore|no-ledger)\)\n$/);
    expect(await run('ledger', 'restore', at('b.backup'), '--ledger', at('r.sqlite'))).toMatchObject({ code: 0 });
  }
  expect(await run('ledger', 'audit', '--ledger', at('r.sqlite'))).toMatchObject({ code: 0 });
});

/** Whether a restore has begun. */
function readMark(file: string): boolean {
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      return database.prepare("select 1 from meta where key = 'restoring'").get() !== undefined;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

test('of two that restore into one place, one does', async () => {
  const { at, environment, run } = await makePlace();
  await makeLedger(at('ledger.sqlite'), 50);
  await run('ledger', 'backup', '--out', at('b.backup'), '--ledger', at('ledger.sqlite'));
  const both = [1, 2].map(
    () => startAgon(['ledger', 'restore', at('b.backup'), '--ledger', at('r.sqlite')], { environment }).ended,
  );
  const codes = (await Promise.all(both)).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set([0, 1]));
  expect(JSON.parse((await run('ledger', 'stats', '--json', '--ledger', at('r.sqlite'))).stdout)).toMatchObject({
    debates: 50,
  });
});
