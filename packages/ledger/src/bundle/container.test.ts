import { verify } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAnswered, newSigningKey, openBundledLedger, recordTinyCase } from '@agonhq/test/support/bundled-case.ts';
import { sampleCases } from '@agonhq/test/support/slow.ts';
import { sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '../index.ts';
import type { AnsweredCase } from './collect-case.ts';
import { bundleCase, describeMaking, signStatement } from './make-bundle.ts';
import { writePart } from './parts.ts';
import { readPublicKeys } from './public-key.ts';
import type { SigningKey } from './signing-key.ts';
import { payloadType, publicKeyName, readBundleStatement, statementName, type Predicate } from './statement.ts';
import { verifyBundle } from './verify-bundle.ts';
import {
  encodePae,
  encodeText,
  readEnvelope,
  readZip,
  writeEnvelope,
  writeZip,
  type ZipEntry,
} from '@agonhq/engine/container';

let ledger: Ledger;
let record: AnsweredCase;
let key: SigningKey;
let bytes: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  ledger = await openBundledLedger();
  record = await recordTinyCase(ledger);
  key = await newSigningKey();
  ({ bytes } = await bundleCase(ledger, record, { key }));
});
afterAll(() => ledger.close());

const check = async (bundle: Uint8Array, pem?: string) =>
  verifyBundle(bundle, {
    ...(pem === undefined ? {} : { keys: await readPublicKeys(pem) }),
    findVerifier: () => undefined,
  });
const failure = async (bundle: Uint8Array, pem?: string) => {
  const { checks, holds } = await check(bundle, pem);
  expect(holds).toBe(false);
  return checks.find(({ outcome }) => outcome === 'wrong')!;
};
const entriesOf = (bundle: Uint8Array): ZipEntry[] => {
  const read = readZip(bundle);
  if ('problem' in read) throw new Error(read.problem);
  return read.entries;
};
/** As a forger would: the container is written anew, with all of its sums. */
const change = (name: string, edit: (content: Uint8Array) => Uint8Array) =>
  writeZip(entriesOf(bytes).map((entry) => (entry.name === name ? { name, bytes: edit(entry.bytes) } : entry)));
/** Hashing waits for other threads. */
const atOnce = 64;
const flip = (content: Uint8Array, at: number, mask: number) => {
  const changed = content.slice();
  changed[at]! ^= mask;
  return changed;
};

describe('a bundle', () => {
  test('holds, with the issuer’s key and without, and says what the latter does not prove', async () => {
    const withKey = await check(bytes, key.publicKey);
    expect(withKey.holds).toBe(true);
    expect(withKey.checks).toContainEqual(expect.objectContaining({ name: 'signer', outcome: 'ok' }));
    const without = await check(bytes);
    expect(without.holds).toBe(true);
    expect(without.checks.find(({ name }) => name === 'signer')).toMatchObject({
      outcome: 'not-checked',
      detail: expect.stringContaining('who signed it is not known') as string,
    });
  });

  test('made twice is the same to the byte', async () => {
    expect((await bundleCase(ledger, record, { key })).bytes).toEqual(bytes);
  });

  test('is a ZIP file that others read', () => {
    const read = unzipSync(bytes);
    expect(Object.entries(read).map(([name, content]) => ({ name, bytes: content }))).toEqual(entriesOf(bytes));
    expect(Object.keys(read)).toEqual(Object.keys(read).toSorted());
  });

  test('with any single byte changed does not hold', async () => {
    const missed: string[] = [];
    // One bit of every byte; the others of every few.
    for (const [mask, step] of [
      [0x01, 1],
      [0x80, 5],
      [0xff, 7],
    ] as const)
      for (let at = 0; at < bytes.length; at += step)
        if ((await check(flip(bytes, at, mask))).holds) missed.push(`${at} ^ ${mask}`);
    expect(missed).toEqual([]);
  });

  test('with any single byte of an entry changed, and the container written anew around it, does not hold', async () => {
    const missed: string[] = [];
    for (const { name, bytes: content } of entriesOf(bytes)) {
      // Of a run that is not whole, every third one: the hashes see no difference.
      const places = name === statementName ? [...content.keys()] : sampleCases([...content.keys()], 9);
      for (let from = 0; from < places.length; from += atOnce)
        await Promise.all(
          places.slice(from, from + atOnce).map(async (at) => {
            if ((await check(change(name, (old) => flip(old, at, 0x01)))).holds) missed.push(`${name} ${at}`);
          }),
        );
    }
    expect(missed).toEqual([]);
  });

  test('cut short at any byte, or with something behind it, does not hold', async () => {
    for (let length = 0; length < bytes.length; length += 1)
      expect((await check(bytes.subarray(0, length))).holds).toBe(false);
    for (const more of ['\0', ' ', 'PK'])
      expect(await failure(Buffer.concat([bytes, Buffer.from(more)]))).toMatchObject({ name: 'container' });
    expect(await failure(Buffer.concat([Buffer.from('#!'), bytes]))).toMatchObject({ name: 'container' });
  });

  test('with its entries in another order does not hold', async () => {
    const [first, second] = entriesOf(bytes);
    const swapped = [
      { name: first!.name, bytes: second!.bytes },
      { name: second!.name, bytes: first!.bytes },
    ];
    expect(await failure(writeZip([...swapped, ...entriesOf(bytes).slice(2)]))).toMatchObject({ name: 'contents' });
  });

  test('names what was added and what was left out', async () => {
    expect(await failure(writeZip([...entriesOf(bytes), { name: 'zz.txt', bytes: encodeText('!') }]))).toEqual({
      name: 'contents',
      outcome: 'wrong',
      detail: 'zz.txt was added after it was signed',
    });
    for (const { name } of entriesOf(bytes))
      expect((await failure(writeZip(entriesOf(bytes).filter((entry) => entry.name !== name)))).detail).toMatch(
        name === statementName ? /there is no/ : /left out|does not hold the key/,
      );
  });

  test('signed anew by somebody else holds for itself, and not with the issuer’s key', async () => {
    const other = await newSigningKey();
    const forged = (await bundleCase(ledger, record, { key: other })).bytes;
    expect((await check(forged)).holds).toBe(true);
    expect(await failure(forged, key.publicKey)).toMatchObject({ name: 'signer' });
    expect((await check(forged, other.publicKey + key.publicKey)).holds).toBe(true);
  });

  test('with a statement that another key signed under this one’s name does not hold', async () => {
    const other = await newSigningKey();
    const resigned = change(statementName, (old) => {
      const { payload } = readEnvelope(payloadType, new TextDecoder().decode(old))!;
      const { subject, predicate } = readBundleStatement(payload)!;
      const digests = new Map(subject.map(({ name, digest }) => [name, `sha256:${digest.sha256}`]));
      return signStatement(digests, predicate, { ...other, id: key.id });
    });
    expect(await failure(resigned)).toMatchObject({ name: 'signature' });
  });

  test('of as many entries as a container holds is told in about a second, whoever signed it', async () => {
    const { payload } = readEnvelope(
      payloadType,
      new TextDecoder().decode(entriesOf(bytes).find(({ name }) => name === statementName)!.bytes),
    )!;
    const unsigned = entriesOf(bytes).filter(({ name }) => name !== statementName);
    for (let index = 0; index < 60_000; index += 1)
      unsigned.push({ name: `attachments/${String(index).padStart(5, '0')}`, bytes: encodeText(String(index)) });
    const digests = new Map(unsigned.map((entry) => [entry.name, sha256(entry.bytes)]));
    const statement = signStatement(digests, readBundleStatement(payload)!.predicate, key);
    const many = writeZip([...unsigned, { name: statementName, bytes: statement }]);
    const before = process.threadCpuUsage();
    const { checks } = await check(many);
    const { user, system } = process.threadCpuUsage(before);
    expect(checks.find(({ name }) => name === 'contents')).toMatchObject({ outcome: 'ok' });
    // Comparing each with each took half a minute.
    expect((user + system) / 1e6).toBeLessThan(6);
  });

  test('of parts that are none is found out, whoever signed it', async () => {
    for (const name of entriesOf(bytes)
      .map((entry) => entry.name)
      .filter((each) => /\.jsonl?$/.test(each) && each !== statementName))
      for (const nonsense of ['null', '[]', '{}', '"x"', '{', '']) {
        const entries = entriesOf(bytes).map((entry) =>
          entry.name === name ? { name, bytes: encodeText(nonsense) } : entry,
        );
        const unsigned = entries.filter((entry) => entry.name !== statementName);
        const { payload } = readEnvelope(
          payloadType,
          new TextDecoder().decode(entries.find((entry) => entry.name === statementName)!.bytes),
        )!;
        const digests = new Map(unsigned.map((entry) => [entry.name, sha256(entry.bytes)]));
        const statement = signStatement(digests, readBundleStatement(payload)!.predicate, key);
        const { checks } = await check(writeZip([...unsigned, { name: statementName, bytes: statement }]));
        // An empty list of prompts or precedents is one.
        const isEmptyList = ['prompts.jsonl', 'precedents.json', 'subject/content.json'].includes(name);
        if (!isEmptyList)
          expect(
            checks.some(({ outcome }) => outcome === 'wrong'),
            `${name} ${nonsense}`,
          ).toBe(true);
      }
  });

  test('with an answer that somebody changed and signed anew is found by its seal', async () => {
    const changed = {
      ...record,
      answer: { ...record.answer, id: record.id, job: 'moderation', usage: record.answer.usage },
    };
    changed.answer.verdict = { ...changed.answer.verdict, label: 'unsafe' };
    const forged = (await bundleCase(ledger, changed, { key })).bytes;
    const { holds, checks } = await check(forged, key.publicKey);
    expect(holds).toBe(false);
    expect(checks.filter(({ outcome }) => outcome === 'wrong').map(({ name }) => name)).toEqual(['seal']);
  });
});

describe('a bundle of a run', () => {
  /** One case, under the key that is given; the run is signed with the issuer's. */
  const bundleRunOf = async (caseKey: SigningKey) => {
    const made = await bundleCase(ledger, record, { key: caseKey });
    const entries = [
      { name: `cases/${record.id}.agon.zip`, bytes: made.bytes },
      { name: 'items.jsonl', bytes: writePart({ name: 'items.jsonl', lines: [{ case: record.id }] }) },
      { name: publicKeyName, bytes: encodeText(key.publicKey) },
      { name: 'run.json', bytes: writePart({ name: 'run.json', json: { id: 'run-1' } }) },
    ];
    const digests = new Map(entries.map((entry) => [entry.name, sha256(entry.bytes)]));
    const predicate: Predicate = {
      ...({ format: 1, kind: 'run', run: 'run-1', job: 'moderation' } as const),
      cases: [record.id],
      ...describeMaking(key, { asOf: '2026-11-17T10:00:00.000Z', redacted: false, leftOut: [] }),
    };
    return writeZip([...entries, { name: statementName, bytes: signStatement(digests, predicate, key) }]);
  };

  test('holds with its cases, and not with one that another key signed', async () => {
    expect(await check(await bundleRunOf(key))).toMatchObject({ holds: true, cases: [{ id: record.id, holds: true }] });
    expect(await failure(await bundleRunOf(await newSigningKey()))).toMatchObject({ name: 'run' });
  });
});

test('the records of a case name its appeals, and those of an appeal the case', async () => {
  const other = await openBundledLedger();
  const first = await recordTinyCase(other);
  const appeal = { id: `${first.id}~a1`, again: { of: first.id, how: 'appeal' as const } };
  const second = await recordTinyCase(other, appeal);
  for (const each of [await findAnswered(other, first.id), second]) {
    const made = (await bundleCase(other, each, { key })).bytes;
    const records = entriesOf(made).find(({ name }) => name === 'records.jsonl')!.bytes;
    const lines = new TextDecoder().decode(records).trim().split('\n');
    const told = lines.map((line) => JSON.parse(line) as { kind: string; case: string; again?: object });
    expect(told.map(({ kind, case: about }) => `${kind} ${about}`).toSorted()).toEqual([
      `closed ${first.id}`,
      `closed ${second.id}`,
      `opened ${first.id}`,
      `opened ${second.id}`,
    ]);
    expect(told.find(({ kind, case: about }) => kind === 'opened' && about === second.id)!.again).toEqual(appeal.again);
    expect((await check(made)).holds).toBe(true);
  }
  await other.close();
});

describe('the envelope', () => {
  test('signs the encoding that the DSSE specification gives as its example', () => {
    const encoded = encodePae('http://example.com/HelloWorld', encodeText('hello world'));
    expect(new TextDecoder().decode(encoded)).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
  });

  test('counts bytes and not letters', () => {
    expect(new TextDecoder().decode(encodePae('ä', encodeText('日本')))).toBe('DSSEv1 2 ä 6 日本');
  });

  test('is read only as it is written', () => {
    const written = writeEnvelope(payloadType, { payload: encodeText('{}'), keyId: 'k', signature: encodeText('s') });
    expect(readEnvelope(payloadType, written)?.keyId).toBe('k');
    expect(JSON.parse(written)).toMatchObject({ payloadType, signatures: [{ keyid: 'k' }] });
    for (const other of [` ${written}`, written.trim(), written.replace('"k"', '"k", "more": 1'), '[]', 'null', ''])
      expect(readEnvelope(payloadType, other)).toBeUndefined();
  });

  test('is signed as OpenSSL verifies it', () => {
    const statement = entriesOf(bytes).find(({ name }) => name === statementName)!;
    const { payload, signature } = readEnvelope(payloadType, new TextDecoder().decode(statement.bytes))!;
    const signed = Buffer.concat([Buffer.from(`DSSEv1 28 application/vnd.in-toto+json ${payload.length} `), payload]);
    expect(verify(null, signed, key.publicKey, signature)).toBe(true);
  });
});
