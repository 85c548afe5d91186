import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { tmpdir } from 'node:os';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backupContract, restoreContract } from '@agonhq/test/support/backup-contract.ts';
import { backUpTo, restoreFrom } from '@agonhq/test/support/backup-stage.ts';
import { exportedText, holdCase, openedCase, precedentOf } from '@agonhq/test/support/ledger-cases.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { itemAt, startRun } from '@agonhq/test/support/run-items.ts';
import { sha256 } from '@agonhq/engine/hash';
import { careForLedger, openLedger, type LedgerPlace } from '../index.ts';
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

let made = 0;
const newFile = (name: string) => path.join(folder, `${(made += 1)}-${name}`);
const places: Record<'SQLite' | 'PostgreSQL', () => Promise<LedgerPlace>> = {
  SQLite: async () => ({ file: newFile('ledger.sqlite') }),
  PostgreSQL: async () => ({ url: await server.newDatabase() }),
};

describe.each([
  ['SQLite', 'PostgreSQL'],
  ['PostgreSQL', 'SQLite'],
  ['PostgreSQL', 'PostgreSQL'],
] as const)('a backup of %s, restored into %s', (from, to) => {
  restoreContract({ newFile, newPlace: places[from] }, { newFile, newPlace: places[to] });
});

describe('a backup of a ledger on PostgreSQL', () => backupContract({ newFile, newPlace: places.PostgreSQL }));

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
    const file = newFile('ledger.backup');
    {
      await using care = await careForLedger(place);
      await backUpTo(file, care);
    }
    await restoreFrom(file, target);
    const restored = await openLedger(target);
    expect(await exportedText(restored)).toBe(exported);
    await restored.close();
  };
  // PostgreSQL has no NUL in its texts, nor in its JSON.
  const nul = { contents: [], words: '', cached: { '\0': [] }, score: 0, ways: ['SQLite', 'PostgreSQL'] as const };
  await fc.assert(fc.asyncProperty(pieces, made), { numRuns: 6, examples: [[nul]] });
}, 180_000);

test('the signing key in a backup is noticed to be altered, whichever part of it', async () => {
  const sealed = await sealSecrets({ signingKey: 'PEM', secret: 'a'.repeat(64) }, 'correct horse');
  if (sealed.how !== 'passphrase') throw new Error('It is not encrypted.');
  for (const name of ['salt', 'iv', 'tag', 'data'] as const) {
    const bytes = Buffer.from(sealed[name], 'base64');
    bytes[0]! ^= 1;
    await expect(openSecrets({ ...sealed, [name]: bytes.toString('base64') }, 'correct horse')).rejects.toMatchObject({
      code: 'wrong-passphrase',
    });
  }
});
