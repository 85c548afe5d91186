import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { holdCase, openedCase } from '../support/ledger-cases.ts';
import { openNewLedger } from '../support/new-ledger.ts';
import { agon } from '../support/run-agon.ts';

test('agon ledger checkpoint writes a file, and agon ledger audit says what was rewritten since', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-audited-'));
  const [file, kept] = [path.join(folder, 'ledger.sqlite'), path.join(folder, 'kept.json')];
  const environment = { AGON_HOME: path.join(folder, 'home') };
  const run = (...args: string[]) => agon([...args, '--ledger', file], { environment });
  const ledger = await openNewLedger(file);
  const empty = await run('ledger', 'checkpoint');
  expect(empty).toMatchObject({ code: 0, stdout: 'Nothing was written yet.\n' });
  await holdCase(ledger, openedCase('case-1'));
  await ledger.close();

  expect(await run('ledger', 'checkpoint', '--out', kept)).toMatchObject({
    code: 0,
    stdout: '',
    stderr: `Checkpoint 1 in ${kept}.\n`,
  });
  expect(await run('ledger', 'checkpoint')).toMatchObject({
    code: 0,
    stdout: await readFile(kept, 'utf8'),
    stderr: 'Nothing new was written since checkpoint 1.\n',
  });
  const sound = await run('ledger', 'audit', '--checkpoint', kept);
  expect(sound.code).toBe(0);
  expect(sound.stdout).toContain('The ledger is valid.');

  const database = new DatabaseSync(file);
  database.exec("update verdicts set label = 'safe'");
  database.close();
  const rewritten = await run('ledger', 'audit', '--checkpoint', kept);
  expect(rewritten.code).toBe(1);
  expect(rewritten.stdout).toMatch(/The answer case-1 is not as it was written \(.+\)\.\nThe ledger is not valid\.\n$/);
  const json = await run('ledger', 'audit', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({ version: 1, holds: false, records: { problemCount: 1 } });

  const stranger = { environment: { AGON_HOME: path.join(folder, 'other-home') } };
  const elsewhere = await agon(['ledger', 'audit', '--ledger', file], stranger);
  expect(elsewhere.stdout).toContain('which is none of the keys that are known (--key names others)');
  const wrong = await run('ledger', 'audit', '--checkpoint', file.replace('ledger.sqlite', 'kept.json'), '--key', kept);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('holds no public key') });
});

test('a ledger that was restored elsewhere is audited with the keys of the place that it came from', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'agon-restored-'));
  const at = (name: string) => path.join(folder, name);
  const runIn = (home: string, ...args: string[]) => agon(args, { environment: { AGON_HOME: at(home) } });
  const ledger = await openNewLedger(at('ledger.sqlite'));
  await holdCase(ledger, openedCase('case-1'));
  await ledger.close();
  await runIn('home', 'ledger', 'checkpoint', '--out', at('kept.json'), '--ledger', at('ledger.sqlite'));
  await runIn('home', 'ledger', 'backup', '--out', at('all.backup'), '--ledger', at('ledger.sqlite'));

  const restored = ['--ledger', at('restored.sqlite')];
  expect(await runIn('other', 'ledger', 'restore', at('all.backup'), ...restored)).toMatchObject({ code: 0 });
  const audited = await runIn('other', 'ledger', 'audit', '--checkpoint', at('kept.json'), ...restored);
  expect(audited).toMatchObject({ code: 0, stdout: expect.stringContaining('The ledger is valid.') });
  expect(audited.stdout).not.toContain('none of the keys that are known');
});
