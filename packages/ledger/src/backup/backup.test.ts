import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { backupContract, restoreContract } from '@agonhq/test/support/backup-contract.ts';
import { backUpTo, backupSigner, fillForBackup, otherSigner } from '@agonhq/test/support/backup-stage.ts';
import { holdCase, openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { careForLedger, openLedger, type Ledger, type LedgerPlace } from '../index.ts';
import { openBackup } from './read-backup.ts';
import { checkBackup } from './restore-backup.ts';
import { openSecrets, sealSecrets } from './seal-secrets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-backup-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
const newFile = (name: string) => path.join(folder, `${(made += 1)}-${name}`);
const stage = { newFile, newPlace: async (): Promise<LedgerPlace> => ({ file: newFile('ledger.sqlite') }) };
const { keys } = backupSigner;

/** A backup of a ledger that somebody filled. */
async function backUpFilled(fill: (ledger: Ledger) => Promise<unknown>, by = backupSigner): Promise<string> {
  const place = await stage.newPlace();
  const ledger = await openLedger(place);
  await fill(ledger);
  await ledger.close();
  const file = newFile('ledger.backup');
  await using care = await careForLedger(place);
  await backUpTo(file, care, by);
  return file;
}

describe('a backup of SQLite, restored into SQLite', () => restoreContract(stage, stage));
describe('a backup of a ledger on SQLite', () => backupContract(stage));

test('every byte of a backup that is changed is noticed', async () => {
  const whole = readFileSync(await backUpFilled((ledger) => holdCase(ledger, openedCase('case-1'))));
  const file = newFile('altered.backup');
  for (let at = 0; at < whole.length; at += at < 64 ? 1 : 397) {
    const altered = Buffer.from(whole);
    // All of its bits: some that only fill up a byte of compressed data may be anything.
    altered[at]! ^= 0xff;
    writeFileSync(file, altered);
    const read = openBackup(file, { keys }).then(checkBackup);
    await expect(read, `byte ${at}`).rejects.toMatchObject({ code: 'broken-backup' });
  }
});

test('a backup with rows that somebody changed and hashed anew is refused, for want of the key', async () => {
  const file = await backUpFilled(fillForBackup, otherSigner);
  await expect(openBackup(file, { keys }).then(checkBackup)).rejects.toMatchObject({
    code: 'broken-backup',
    message: expect.stringMatching(/none of the keys/) as string,
  });
  expect(await openBackup(file).then(checkBackup)).toMatchObject({ isKnown: null, signedBy: otherSigner.signer.id });
});

test('files that are no backup are refused in one line', async () => {
  const file = newFile('garbage');
  for (const content of ['', 'hello', Buffer.from([0x1f, 0x8b, 8, 0]), readFileSync(import.meta.filename)]) {
    writeFileSync(file, content);
    await expect(openBackup(file)).rejects.toMatchObject({ code: 'broken-backup' });
  }
  await expect(openBackup(path.join(folder, 'nothing'))).rejects.toMatchObject({ code: 'unreadable-file' });
});

test('a ledger whose restore was killed is no ledger until it is restored again', async () => {
  const file = await backUpFilled(fillForBackup);
  const target = await stage.newPlace();
  await using care = await careForLedger(target);
  const backup = await openBackup(file);
  // As if the process ended here: neither the rest of the rows comes, nor does anybody tidy up.
  const { promise: never } = Promise.withResolvers<never>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  void care.fill(
    backup.head,
    (async function* () {
      yield* [];
      reach();
      await never;
    })(),
  );
  await reached;
  await expect(openLedger(target)).rejects.toMatchObject({ code: 'unfinished-restore' });
});

describe('the signing key in a backup', () => {
  const secrets = { signingKey: 'PEM', secret: 'a'.repeat(64) };

  test('opens with its passphrase alone', async () => {
    const sealed = await sealSecrets(secrets, 'correct horse');
    expect(JSON.stringify(sealed)).not.toContain('PEM');
    expect(await openSecrets(sealed, 'correct horse')).toEqual(secrets);
    for (const wrong of ['Correct horse', '', null])
      await expect(openSecrets(sealed, wrong)).rejects.toMatchObject({ code: 'wrong-passphrase' });
  });

  test('is there as it is only for those who say so', async () => {
    expect(await openSecrets(await sealSecrets(secrets, null), null)).toEqual(secrets);
  });
});
