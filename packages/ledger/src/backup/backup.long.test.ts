import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportedText, holdCase, openedCase, precedentOf } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { itemAt, startRun, takeFrom } from '@agonhq/test/support/run-items.ts';
import { auditLedger, makeCheckpoint, readKeys } from '../checkpoints/index.ts';
import { sha256 } from '@agonhq/engine/hash';
import { careForLedger, openLedger, type Ledger, type LedgerPlace } from '../index.ts';
import { makeBackup } from './make-backup.ts';
import { openBackup } from './read-backup.ts';
import { checkBackup, restoreBackup } from './restore-backup.ts';
import { openSecrets, sealSecrets } from './seal-secrets.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-backup-'));
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const pair = generateKeyPairSync('ed25519');
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const signer = {
  id: sha256(pair.publicKey.export({ type: 'spki', format: 'der' })),
  sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, pair.privateKey)),
};
const keys = readKeys(pem);

let made = 0;
const newFile = (name: string) => path.join(folder, `${(made += 1)}-${name}`);
const places: Record<'SQLite' | 'PostgreSQL', () => Promise<LedgerPlace>> = {
  SQLite: async () => ({ file: newFile('ledger.sqlite') }),
  PostgreSQL: async () => ({ url: await server.newDatabase() }),
};

/** Some of everything, with a checkpoint and something behind it. */
async function fill(ledger: Ledger): Promise<void> {
  await holdCase(
    ledger,
    openedCase('case-1', { text: 'Ünïcode, \u{1f600} and "quotes"', context: { author: 'user-1' } }),
  );
  await ledger.attachments.keepAttachment({
    hash: sha256('image'),
    mediaType: 'image/png',
    data: Buffer.from([0, 255, 10]),
  });
  await ledger.decisions.recordDecision({ case: 'case-1', label: 'safe', by: 'ann', why: 'A joke.' });
  await ledger.precedents.keepPrecedents([precedentOf('precedent-1')]);
  await ledger.keys.keepKey({
    id: 'key-1',
    name: 'ci',
    secretHash: sha256('secret'),
    scopes: ['read'],
    reviewer: null,
    createdAt: new Date(),
    expiresAt: null,
  });
  await makeCheckpoint(ledger, { signer });
  await holdCase(ledger, openedCase('case-2'));
  await ledger.holds.placeHold({ case: 'case-2', reason: 'A lawsuit.' }, { by: 'mara' });
}

async function backUp(place: LedgerPlace): Promise<string> {
  const file = newFile('ledger.backup');
  await using care = await careForLedger(place);
  const pieces: Uint8Array[] = [];
  for await (const piece of makeBackup(care, { signer, publicKeys: pem })) pieces.push(piece);
  writeFileSync(file, Buffer.concat(pieces));
  return file;
}

async function restore(place: LedgerPlace, file: string): Promise<void> {
  await using care = await careForLedger(place);
  await restoreBackup(care, await openBackup(file, { keys }));
}

describe.each([
  ['SQLite', 'SQLite'],
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
  ['PostgreSQL', 'PostgreSQL'],
] as const)('a backup of %s, restored into %s', (from, to) => {
  test('holds everything, its trees and checkpoints too, and can be gone on with', async () => {
    const place = await places[from]();
    const ledger = await openLedger(place);
    await fill(ledger);
    const file = await backUp(place);
    const target = await places[to]();
    await restore(target, file);
    const restored = await openLedger(target);
    expect(await exportedText(restored)).toBe(await exportedText(ledger));
    expect(await restored.keys.listKeys()).toEqual(await ledger.keys.listKeys());
    expect(await restored.holds.listHolds()).toEqual(await ledger.holds.listHolds());
    expect(await restored.records.readState()).toEqual(await ledger.records.readState());
    const filter = { search: 'quotes', minDisagreement: 0 };
    expect(await restored.cases.listCases(filter)).toEqual(await ledger.cases.listCases(filter));
    await holdCase(restored, openedCase('case-3'));
    await restored.decisions.recordDecision({ case: 'case-3', label: 'unsafe', by: 'ben' });
    await makeCheckpoint(restored, { signer });
    expect((await auditLedger(restored, { keys })).checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['records', 'ok'],
      ['trees', 'ok'],
      ['checkpoints', 'ok'],
    ]);
    await expect(restore(target, file)).rejects.toMatchObject({ code: 'ledger-not-empty' });
    await (await openLedger(target)).close();
    await Promise.all([ledger.close(), restored.close()]);
  });
});

test('loses nothing, whatever it is: what is restored is exported byte by byte the same', async () => {
  const anything = fc.jsonValue({ stringUnit: 'binary' });
  const pieces = fc.record({
    contents: fc.array(fc.tuple(anything, fc.array(fc.uint8Array(), { maxLength: 2 })), { maxLength: 4 }),
    words: fc.string({ unit: 'binary' }),
    cached: anything,
    score: fc.double({ noNaN: true, noDefaultInfinity: true }),
    ways: fc.constantFrom(['SQLite', 'PostgreSQL'] as const, ['PostgreSQL', 'SQLite'] as const),
  });
  const made = async ({
    contents,
    words,
    cached,
    score,
    ways: [from, to],
  }: typeof pieces extends fc.Arbitrary<infer Made> ? Made : never) => {
    const [place, target] = [await places[from](), await places[to]()];
    const ledger = await openLedger(place);
    for (const [index, [content, files]] of contents.entries()) {
      const attachments = files.map((data) => ({ hash: sha256(data), mediaType: 'image/webp', data }));
      const subject = { hash: sha256(`${index}`), content, attachments };
      await holdCase(ledger, openedCase(`case-${index}`, { subject, settings: content }), { score });
      await ledger.decisions.recordDecision({ case: `case-${index}`, label: 'safe', by: words || 'ann', why: words });
    }
    if (contents.length > 1) await ledger.cases.forgetSubject(sha256('1'));
    await startRun(ledger, 'run', [
      itemAt(1, { key: words, input: cached, expected: words }),
      itemAt(2, { input: null, error: { code: 'broken-line', message: words, hint: words } }),
    ]);
    await ledger.precedents.keepPrecedents([precedentOf('p', { text: words })]);
    await ledger.cache.keepAnswer('key', cached);
    await ledger.benches.startBench({ id: 'bench', name: words, plan: cached });
    await ledger.benches.keepJudgements('bench', [{ key: words, result: cached }]);
    const exported = await exportedText(ledger);
    await ledger.close();
    await restore(target, await backUp(place));
    const restored = await openLedger(target);
    expect(await exportedText(restored)).toBe(exported);
    await restored.close();
  };
  // PostgreSQL has no NUL in its texts, nor in its JSON.
  const nul = { contents: [], words: '', cached: { '\0': [] }, score: 0, ways: ['SQLite', 'PostgreSQL'] as const };
  await fc.assert(fc.asyncProperty(pieces, made), { numRuns: 6, examples: [[nul]] });
}, 180_000);

describe.each(['SQLite', 'PostgreSQL'] as const)('a backup of a ledger on %s', (kind) => {
  test('is of one moment, whatever is written meanwhile, and what was in hand waits again', async () => {
    const place = await places[kind]();
    const ledger = await openLedger(place);
    await fill(ledger);
    await startRun(ledger, 'run-1', [itemAt(1), itemAt(2)]);
    expect(await takeFrom(ledger, 'run-1', 1)).toHaveLength(1);
    const before = (await ledger.readStats()).debates;
    const file = newFile('ledger.backup');
    await using care = await careForLedger(place);
    const pieces: Uint8Array[] = [];
    const snapshot = await care.openSnapshot();
    for (let number = 0; number < 5; number += 1) await holdCase(ledger, openedCase(`later-${number}`));
    const still = { openSnapshot: async () => snapshot };
    for await (const piece of makeBackup(still, { signer, publicKeys: pem })) pieces.push(piece);
    writeFileSync(file, Buffer.concat(pieces));
    const target = await places[kind]();
    await restore(target, file);
    const restored = await openLedger(target);
    expect((await restored.readStats()).debates).toBe(before);
    expect((await restored.records.audit()).problems).toEqual([]);
    expect(await restored.runs.countItems('run-1')).toMatchObject({ waiting: 2 });
    await Promise.all([ledger.close(), restored.close()]);
  });

  test('that is cut short or altered is refused, and leaves no ledger', async () => {
    const place = await places[kind]();
    const ledger = await openLedger(place);
    await fill(ledger);
    await ledger.close();
    const whole = readFileSync(await backUp(place));
    const target = await places[kind]();
    const broken = newFile('broken.backup');
    const step = Math.ceil(whole.length / 4);
    for (let at = 0; at < whole.length; at += step) {
      writeFileSync(broken, whole.subarray(0, at));
      await expect(restore(target, broken), `cut at ${at}`).rejects.toMatchObject({ code: 'broken-backup' });
    }
    writeFileSync(broken, Buffer.concat([whole, Buffer.from('more')]));
    await expect(restore(target, broken)).rejects.toMatchObject({ code: 'broken-backup' });
    await expect(openLedger(target)).rejects.toMatchObject({ code: 'unfinished-restore' });
    await expect(restore(target, broken)).rejects.toMatchObject({ code: 'broken-backup' });
    await expect(openLedger(target)).rejects.toMatchObject({ code: 'unfinished-restore' });
    await restore(target, await backUp(place));
    await (await openLedger(target)).close();
    const there = await places[kind]();
    await (await openLedger(there)).close();
    await expect(restore(there, broken)).rejects.toMatchObject({ code: 'broken-backup' });
    const empty = await openLedger(there);
    expect(await empty.readStats()).toMatchObject({ debates: 0, decisions: 0, subjects: 0 });
    await empty.close();
  });
});

test('every single byte of a backup that is changed is noticed', async () => {
  const place = await places.SQLite();
  const ledger = await openLedger(place);
  await holdCase(ledger, openedCase('case-1'));
  await ledger.close();
  const whole = readFileSync(await backUp(place));
  const file = newFile('altered.backup');
  for (let at = 0; at < whole.length; at += at < 64 ? 1 : 97) {
    const altered = Buffer.from(whole);
    // All of its bits: some that only fill up a byte of compressed data may be anything.
    altered[at]! ^= 0xff;
    writeFileSync(file, altered);
    const read = openBackup(file, { keys }).then(checkBackup);
    await expect(read, `byte ${at}`).rejects.toMatchObject({ code: 'broken-backup' });
  }
});

test('a backup with rows that somebody changed and hashed anew is refused, for want of the key', async () => {
  const place = await places.SQLite();
  const ledger = await openLedger(place);
  await fill(ledger);
  await ledger.close();
  const other = generateKeyPairSync('ed25519');
  const otherPem = other.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const forger = {
    id: sha256(other.publicKey.export({ type: 'spki', format: 'der' })),
    sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, other.privateKey)),
  };
  await using care = await careForLedger(place);
  const pieces: Uint8Array[] = [];
  for await (const piece of makeBackup(care, { signer: forger, publicKeys: otherPem })) pieces.push(piece);
  const file = newFile('forged.backup');
  writeFileSync(file, Buffer.concat(pieces));
  await expect(openBackup(file, { keys }).then(checkBackup)).rejects.toMatchObject({
    code: 'broken-backup',
    message: expect.stringMatching(/none of the keys/) as string,
  });
  expect(await openBackup(file).then(checkBackup)).toMatchObject({ isKnown: null, signedBy: forger.id });
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
  const place = await places.SQLite();
  const ledger = await openLedger(place);
  await fill(ledger);
  await ledger.close();
  const file = await backUp(place);
  const target = await places.SQLite();
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

  test('is noticed to be altered, whichever part of it', async () => {
    const sealed = await sealSecrets(secrets, 'correct horse');
    if (sealed.how !== 'passphrase') throw new Error('It is not encrypted.');
    for (const name of ['salt', 'iv', 'tag', 'data'] as const) {
      const bytes = Buffer.from(sealed[name], 'base64');
      bytes[0]! ^= 1;
      await expect(openSecrets({ ...sealed, [name]: bytes.toString('base64') }, 'correct horse')).rejects.toMatchObject(
        { code: 'wrong-passphrase' },
      );
    }
  });

  test('is there as it is only for those who say so', async () => {
    expect(await openSecrets(await sealSecrets(secrets, null), null)).toEqual(secrets);
  });
});
