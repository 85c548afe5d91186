import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { turnAt } from '@agonhq/test/support/ledger-cases.ts';
import { runLedgerChild } from '@agonhq/test/support/run-ledger-child.ts';
import { sha256 } from '@agonhq/engine/hash';
import { buildLedger } from '../build-ledger.ts';
import { openLedger } from '../index.ts';
import { openSqlite } from './open-sqlite.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-ledger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => path.join(folder, `${(files += 1)}`, 'ledger.sqlite');

describe('a ledger in a file, and other processes', () => {
  test('is made once when several processes open it at the same moment, and all of them write', async () => {
    const file = newFile();
    const children = Array.from({ length: 3 }, (_, index) => runLedgerChild('write', file, `child-${index}`, '10'));
    for (const { ended } of children) expect(await ended).toMatchObject({ code: 0 });
    const ledger = await openLedger({ file });
    expect(await ledger.readStats()).toMatchObject({ schema: 1, entries: 30 });
    await ledger.close();
  }, 60_000);

  test('a file or a folder that may not be written', async () => {
    chmodSync(folder, 0o755);
    const file = newFile();
    await (await openLedger({ file })).close();
    chmodSync(file, 0o444);
    chmodSync(path.dirname(file), 0o555);
    const spare = path.join(folder, 'spare.sqlite');
    for (const place of [
      file,
      path.join(path.dirname(file), 'other.sqlite'),
      path.join(path.dirname(file), 'deeper', 'other.sqlite'),
    ]) {
      const { output } = await runLedgerChild('unprivileged', place, spare).ended;
      expect(output).toMatch(/read-only-ledger|ledger-unreachable/);
      expect(output).toContain(place);
    }
    chmodSync(path.dirname(file), 0o755);
  }, 60_000);

  test('a lock that another process holds too long; one that it gives back in time is waited for', async () => {
    const file = newFile();
    await (await openLedger({ file })).close();
    const impatient = buildLedger(await openSqlite({ file, lockTimeoutMs: 200 }));
    const patient = buildLedger(await openSqlite({ file, lockTimeoutMs: 20_000 }));
    const other = runLedgerChild('lock', file, '1500');
    await other.ready;
    let beats = 0;
    const heart = setInterval(() => (beats += 1), 10);
    await expect(impatient.journal.insert('debate', turnAt('arbiter'))).rejects.toMatchObject({
      code: 'locked-ledger',
    });
    await patient.journal.insert('debate', turnAt('arbiter'));
    clearInterval(heart);
    expect(beats, 'the process goes on while it waits').toBeGreaterThan(10);
    expect(await impatient.journal.find('debate', 'arbiter', sha256('arbiter'))).toBeDefined();
    await Promise.all([impatient.close(), patient.close(), other.ended]);
  }, 60_000);
});
