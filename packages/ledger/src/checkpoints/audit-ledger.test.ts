import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { holdCase, openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { makeSigner } from '@agonhq/test/support/signer.ts';
import { openLedger, type Ledger } from '../index.ts';
import { auditLedger, makeCheckpoint } from './index.ts';

const { signer, keys } = makeSigner();
let folder: string;
let file: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-checkpoints-'));
  file = path.join(folder, 'ledger.sqlite');
  ledger = await openNewLedger(file);
  await holdCase(ledger, openedCase('case-1'));
});
afterEach(async () => {
  await ledger.close();
  await rm(folder, { recursive: true });
});

const sign = async () => (await makeCheckpoint(ledger, { signer }))!;
const wrongIn = async (kept: { name: string; text: string }[] = [], known = keys) => {
  const { holds, checks, records } = await auditLedger(ledger, { keys: known, kept });
  const wrong = checks.filter(({ outcome }) => outcome === 'wrong').map(({ name, detail }) => `${name}: ${detail}`);
  expect(holds).toBe(wrong.length === 0);
  return [...wrong, ...records.problems.map(({ message }) => message)];
};
function tamper(statement: string): void {
  const database = new DatabaseSync(file);
  database.exec(statement);
  database.close();
}

describe('checkpoints', () => {
  test('follow one another, and none is made where nothing new was written', async () => {
    expect(await sign()).toMatchObject({ number: 1, isNew: true, timeStamp: null, timeStampProblem: null });
    expect(await sign()).toMatchObject({ number: 1, isNew: false });
    await holdCase(ledger, openedCase('case-2'));
    expect(await sign()).toMatchObject({ number: 2, isNew: true });
    const { holds, checks } = await auditLedger(ledger, { keys });
    expect(holds).toBe(true);
    expect(checks.map(({ name, outcome }) => [name, outcome])).toEqual([
      ['records', 'ok'],
      ['trees', 'ok'],
      ['checkpoints', 'ok'],
    ]);
  });

  test('one that was kept elsewhere still holds when more was written since', async () => {
    const kept = { name: 'one.json', text: (await sign()).envelope };
    await holdCase(ledger, openedCase('case-2'));
    await sign();
    expect(await wrongIn([kept])).toEqual([]);
  });

  test('one that was kept elsewhere shows that a ledger was rolled back to a copy', async () => {
    await sign();
    await ledger.close();
    await copyFile(file, `${file}.copy`);
    ledger = await openLedger({ file });
    await holdCase(ledger, openedCase('case-2'));
    const kept = { name: 'two.json', text: (await sign()).envelope };
    await ledger.close();
    await rm(`${file}-wal`, { force: true });
    await copyFile(`${file}.copy`, file);
    ledger = await openLedger({ file });
    expect(await wrongIn(), 'by itself the copy is sound').toEqual([]);
    expect(await wrongIn([kept])).toEqual([
      'trees: 1 of them do not hold',
      'two.json: the ledger has no checkpoint 2: it was rolled back to an earlier state, or checkpoints were removed',
      expect.stringMatching(/^Of \d{4}-\d\d the ledger has 4 entries, but two\.json has seen 7: it was rolled back/),
    ]);
    // Who goes on from the copy cannot hide it either.
    await holdCase(ledger, openedCase('case-3'));
    await sign();
    expect(await wrongIn([kept])).toEqual([
      'trees: 1 of them do not hold',
      'two.json: the ledger has another checkpoint 2: it was rewritten',
      expect.stringMatching(/was rewritten: its entries 5 to 7 are not those that two\.json vouches for\.$/),
    ]);
  });

  test('show a ledger whose trees were rewritten along with its records', async () => {
    await sign();
    tamper(`update record_leaves set written_at = '2020-01-01T00:00:00.000Z' where position = 0`);
    tamper(`update record_leaves set position = null; delete from record_trees`);
    await ledger.records.sequence();
    expect(await wrongIn()).toEqual([
      'trees: 1 of them do not hold',
      expect.stringMatching(/was rewritten: its entries 1 to 4 are not those that checkpoint 1 vouches for\.$/),
    ]);
  });

  test('cannot be signed by anybody else, changed or left out', async () => {
    await sign();
    expect(await wrongIn([], makeSigner().keys)).toEqual([
      expect.stringMatching(/^checkpoints: checkpoint 1: it was signed with sha256:\w+…, which is none of the keys/),
    ]);
    await holdCase(ledger, openedCase('case-2'));
    const { envelope } = await sign();
    const { payload } = JSON.parse(envelope) as { payload: string };
    const other = Buffer.from(payload, 'base64').toString().replace(/Z"/, '1Z"');
    const forged = envelope.replace(payload, Buffer.from(other).toString('base64'));
    tamper(`update checkpoints set envelope = '${forged}' where number = 2`);
    expect(await wrongIn()).toEqual(['checkpoints: checkpoint 2: its signature does not hold']);
    // What nobody signed must not be changeable either.
    tamper(`update checkpoints set envelope = '${JSON.stringify(JSON.parse(envelope))}' where number = 2`);
    expect(await wrongIn()).toEqual(['checkpoints: checkpoint 2: it is damaged']);
    tamper('delete from checkpoints where number = 1');
    expect(await wrongIn()).toEqual(['checkpoints: checkpoint 2: the one before it is missing']);
  });

  test('hold for what was forgotten, and nothing of it or of its salts is in the file', async () => {
    const text = 'A note about zyxomma dragonflies.';
    await holdCase(ledger, openedCase('case-9', { text }));
    const kept = { name: 'one.json', text: (await sign()).envelope };
    const reader = new DatabaseSync(file, { readOnly: true });
    const { hash } = openedCase('case-9', { text }).subject;
    const salts = reader
      .prepare(`select salt from record_leaves where record in ('case-9', ?) and kind in ('subject', 'answer')`)
      .all(hash) as { salt: Uint8Array }[];
    reader.close();
    expect(salts).toHaveLength(2);
    const isInFile = async (bytes: Uint8Array) => {
      const files = [file, `${file}-wal`].map((name) => readFile(name).catch(() => Buffer.alloc(0)));
      return Buffer.concat(await Promise.all(files)).includes(Buffer.from(bytes));
    };
    const traces = [Buffer.from('zyxomma'), ...salts.map(({ salt }) => salt)];
    for (const trace of traces) expect(await isInFile(trace)).toBe(true);
    await ledger.cases.forgetSubject(hash);
    for (const trace of traces) expect(await isInFile(trace)).toBe(false);
    expect(await wrongIn([kept])).toEqual([]);
  });

  test('of another ledger, and what is none, are told apart', async () => {
    await sign();
    const other = await openLedger({ file: path.join(folder, 'other.sqlite') });
    await holdCase(other, openedCase('case-1'));
    const { envelope } = (await makeCheckpoint(other, { signer }))!;
    await other.close();
    expect(await wrongIn([{ name: 'other.json', text: envelope }])).toEqual(['other.json: it is of another ledger']);
    await expect(wrongIn([{ name: 'none.json', text: '{}' }])).rejects.toMatchObject({ code: 'unreadable-checkpoint' });
  });
});
