import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { holdCase, openedCase } from '@agonhq/test/support/ledger-cases.ts';
import { openNewLedger } from '@agonhq/test/support/new-ledger.ts';
import { hashLeaf, listSiblings, proveInclusion } from '../records/merkle-tree.ts';
import { sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '../index.ts';
import { readKeys } from './envelope.ts';
import { proveCase, type InclusionProof } from './prove-case.ts';
import { readProof, verifyProof } from './verify-proof.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'agon-proof-'));
const pair = generateKeyPairSync('ed25519');
const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const id = sha256(createPublicKey(pem).export({ type: 'spki', format: 'der' }));
const options = {
  signer: { id, sign: (bytes: Uint8Array) => new Uint8Array(sign(null, bytes, pair.privateKey)) },
  publicKeys: [{ id, pem }],
};
const keys = readKeys(pem);
let ledger: Ledger;
beforeAll(async () => {
  ledger = await openNewLedger(path.join(folder, 'ledger.sqlite'));
  for (let number = 0; number < 9; number += 1) await holdCase(ledger, openedCase(`case-${number}`));
  await ledger.decisions.recordDecision({ case: 'case-4', label: 'safe', by: 'ann', why: 'A joke.' });
});
afterAll(async () => {
  await ledger.close();
  rmSync(folder, { recursive: true, force: true });
});

const asked = (name: string) => ({ id: name, subject: openedCase(name).subject.hash });
const outcomes = (proof: InclusionProof, more = {}) =>
  Object.fromEntries(verifyProof(proof, { keys, ...more }).checks.map(({ name, outcome }) => [name, outcome]));
const valid = { checkpoint: 'ok', signer: 'ok', records: 'ok', contents: 'ok' };

describe('a proof that a case is on record', () => {
  test('holds for every case, without a ledger, with the public key alone', async () => {
    for (let number = 0; number < 9; number += 1) {
      const proof = readProof(JSON.stringify(await proveCase(ledger, asked(`case-${number}`), options)))!;
      expect(outcomes(proof)).toEqual(valid);
    }
    const { records } = verifyProof(await proveCase(ledger, asked('case-4'), options));
    expect(records.map(({ kind }) => kind)).toEqual(['subject', 'case', 'answer', 'decision']);
    expect(records.at(-1)!.content).toMatchObject({ label: 'safe', decided_by: 'ann', why: 'A joke.' });
  });

  test('says who signed only to those who bring the key', async () => {
    const proof = await proveCase(ledger, asked('case-1'), options);
    expect(verifyProof(proof).checks).toContainEqual(
      expect.objectContaining({ name: 'signer', outcome: 'not-checked' }),
    );
    const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }) as string;
    expect(outcomes(proof, { keys: readKeys(other) })).toMatchObject({ signer: 'wrong' });
  });

  test('fails where a record, its place, its way, its content or the checkpoint is another', async () => {
    const proof = await proveCase(ledger, asked('case-4'), options);
    const other = await proveCase(ledger, asked('case-5'), options);
    const [first, ...rest] = proof.records;
    const change = (record: object) => ({ ...proof, records: [{ ...first!, ...record }, ...rest] });
    const flip = (hex: string) => (hex.startsWith('0') ? '1' : '0') + hex.slice(1);
    for (const broken of [
      change({ position: first!.position + 1 }),
      change({ month: '2020-01' }),
      change({ path: first!.path.slice(1) }),
      change({ path: [flip(first!.path[0]!), ...first!.path.slice(1)] }),
      change({ leaf: { ...first!.leaf, writtenAt: '2020-01-01T00:00:00.000Z' } }),
      change({ leaf: { ...first!.leaf, record: 'case-5' } }),
      { ...proof, case: 'case-5' },
      { ...proof, records: [...proof.records, other.records[2]!] },
    ])
      expect(outcomes(broken)).toMatchObject({ records: 'wrong' });
    const opening = { ...first!.opening!, content: first!.opening!.content.replace('sha256', 'sha512') };
    expect(outcomes(change({ opening }))).toMatchObject({ contents: 'wrong' });
    expect(outcomes({ ...proof, checkpoint: proof.checkpoint.replace('"sig": "', '"sig": "A') })).toEqual({
      checkpoint: 'wrong',
    });
    expect(outcomes({ ...proof, ledger: 'another' })).toEqual({ checkpoint: 'wrong' });
  });

  test('compares an answer that somebody shows', async () => {
    const proof = await proveCase(ledger, asked('case-4'), options);
    const { answer } = (await ledger.cases.findCase('case-4'))!;
    const shown = (text: string) => outcomes(proof, { answer: { name: 'answer.json', text } })['answer.json'];
    expect(shown(JSON.stringify(answer, null, 2))).toBe('ok');
    expect(shown(JSON.stringify({ ...answer, id: 'case-5' }))).toBe('wrong');
    expect(shown('no JSON')).toBe('wrong');
  });

  test('redacted, proves that and when something was written, and says nothing of it', async () => {
    const proof = await proveCase(ledger, asked('case-4'), { ...options, redact: true });
    expect(JSON.stringify(proof)).not.toContain('A joke.');
    expect(outcomes(proof)).toEqual({ ...valid, contents: 'not-checked' });
  });

  test('of what was forgotten holds, and opens what is left', async () => {
    await ledger.cases.forgetSubject(asked('case-7').subject);
    const proof = await proveCase(ledger, asked('case-7'), options);
    expect(outcomes(proof)).toEqual(valid);
    expect(JSON.stringify(proof)).not.toContain('What was said in case-7.');
    const kinds = proof.records.map(({ leaf, opening }) => [leaf.kind, opening !== null]);
    expect(kinds).toContainEqual(['contents-forgotten', false]);
    expect(kinds.filter(([kind]) => kind === 'answer')).toEqual([
      ['answer', false],
      ['answer', true],
    ]);
  });
});

test('the subtrees beside the way are those whose hashes the proof of RFC 9162 names', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 130 }), fc.nat(), (size, seed) => {
      const index = seed % size;
      const leaves = Array.from({ length: size }, (_, number) => hashLeaf(Buffer.from(String(number))));
      const ranges = listSiblings(index, size);
      expect(ranges).toHaveLength(proveInclusion(leaves, index).length);
      const covered = ranges.reduce((sum, { start, end }) => sum + end - start, 1);
      expect(covered).toBe(size);
    }),
  );
});
