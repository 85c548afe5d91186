import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { checkInstallation, type InstallationFinding } from './check-installation.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-doctor-'));
  vi.stubEnv('AGON_HOME', path.join(folder, 'home'));
  vi.stubEnv('AGON_LEDGER', path.join(folder, 'ledger.sqlite'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** What is found, up to some thing: what comes after it loads models. */
async function findUpTo(last: string, flags: Parameters<typeof checkInstallation>[0] = {}) {
  const found = new Map<string, InstallationFinding>();
  for await (const finding of checkInstallation(flags)) {
    found.set(finding.name, finding);
    if (finding.name === last) break;
  }
  return found;
}

test('a ledger that others of the machine may read is named, and one that is its owner’s alone is fine', async () => {
  const file = path.join(folder, 'ledger.sqlite');
  await (await openNewLedger(file)).close();
  for (const [mode, hint] of [
    [0o600, null],
    [0o640, `chmod 600 ${file}`],
    [0o604, `chmod 600 ${file}`],
  ] as const) {
    await chmod(file, mode);
    const { outcome, hint: said, detail } = (await findUpTo('ledger')).get('ledger')!;
    expect([mode, outcome]).toEqual([mode, 'fine']);
    expect(detail).toContain('0 cases');
    expect(said === null).toBe(hint === null);
    if (hint !== null) expect(said).toContain(hint);
  }
});

test('a ledger that is none is broken, one that is turned off is absent, and settings come first', async () => {
  await writeFile(path.join(folder, 'notes.txt'), 'These are notes, and no ledger of anybody. '.repeat(200));
  const found = await findUpTo('ledger', { ledger: path.join(folder, 'notes.txt') });
  expect(found.get('ledger')).toMatchObject({ outcome: 'broken' });
  expect(found.get('policy')).toMatchObject({ outcome: 'fine', detail: expect.stringMatching(/\d+ categories/) });
  vi.stubEnv('AGON_LEDGER', 'false');
  expect((await findUpTo('ledger')).get('ledger')).toMatchObject({ outcome: 'absent' });
  const config = path.join(folder, 'agon.config.json');
  await writeFile(config, '{ "seats": 7 }');
  const last = [...(await findUpTo('policy', { config })).values()].at(-1);
  expect(last).toMatchObject({ name: 'settings', outcome: 'broken' });
});
