import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAnswered, newSigningKey, openBundledLedger } from '@agonhq/test/support/bundled-case.ts';
import { jobWords, recordJobs } from '@agonhq/test/support/bundled-jobs.ts';
import { findJobVerifier } from '@agonhq/core/app';
import type { Check } from '@agonhq/engine/debate';
import { ownJobs } from '@agonhq/core/own-jobs';
import type { Ledger } from '../index.ts';
import { bundleCase } from './make-bundle.ts';
import { readPublicKeys } from './public-key.ts';
import { readOpening, type RedactedOpening } from './redact.ts';
import type { SigningKey } from './signing-key.ts';
import { verifyBundle } from './verify-bundle.ts';
import { readZip } from '@agonhq/engine/container';

let ledger: Ledger;
let key: SigningKey;
let cases: Awaited<ReturnType<typeof recordJobs>>;
const secret = 'a-secret-of-the-tests-that-is-long-enough';

beforeAll(async () => {
  ledger = await openBundledLedger();
  key = await newSigningKey();
  cases = await recordJobs(ledger, secret);
});
afterAll(() => ledger.close());

type Job = keyof typeof cases;
const bundle = async (job: Job, redactWith?: string) =>
  bundleCase(ledger, await findAnswered(ledger, cases[job]), { key, ...(redactWith ? { redactWith } : {}) });
const verify = async (bytes: Uint8Array, opening?: RedactedOpening | null) =>
  verifyBundle(bytes, {
    keys: await readPublicKeys(key.publicKey),
    ...(opening ? { opening } : {}),
    findVerifier: findJobVerifier(ownJobs),
  });
const outcomes = (checks: readonly Check[]) => Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
const namesOf = (bytes: Uint8Array) => {
  const read = readZip(bytes);
  return 'problem' in read ? [] : read.entries.map(({ name }) => name);
};

const ofContainer = ['container', 'contents', 'signature', 'signer'];
const ofParts = ['case', 'attachments', 'policy', 'precedents', 'models', 'prompts', 'records'];
const own: Record<Job, readonly string[]> = {
  moderation: ['seal', 'quotations', 'subject', 'rules', 'clauses', 'marks', 'action'],
  evaluation: ['seal', 'quotations', 'subject', 'equations', 'rules', 'clauses', 'marks', 'action'],
  documents: ['seal', 'files', 'sources', 'quotations', 'numbers', 'claims', 'absences', 'rules', 'outlook'],
};

describe.each(Object.keys(own) as Job[])('a bundle of %s', (job) => {
  test('holds, and everything that code can check was checked', async () => {
    const { bytes } = await bundle(job);
    const { holds, checks } = await verify(bytes);
    expect(checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(holds).toBe(true);
    expect(checks.map(({ name }) => name)).toEqual([...ofContainer, ...ofParts, ...own[job]]);
  });

  test('is redacted without a gap, and opened again', async () => {
    const { bytes, opening } = await bundle(job, secret);
    const closed = await verify(bytes);
    expect(closed.holds).toBe(true);
    expect(outcomes(closed.checks)).toEqual({
      ...Object.fromEntries([...ofContainer, 'case', 'policy', 'models'].map((name) => [name, 'ok'])),
      redacted: 'not-checked',
    });
    const opened = await verify(bytes, readOpening(`${JSON.stringify(opening)}\n`));
    expect(opened.checks.filter(({ outcome }) => outcome !== 'ok')).toEqual([]);
    expect(opened.checks.map(({ name }) => name)).toEqual(expect.arrayContaining([...own[job], 'opening']));
  });
});

describe('a redacted bundle', () => {
  test('has no word of the content, of what was said about it, nor its hashes', async () => {
    const { bytes, opening } = await bundle('moderation', secret);
    const text = Buffer.from(bytes).toString('latin1');
    const { subject, transcript, provenance } = (await findAnswered(ledger, cases.moderation)).answer;
    const { hash, images } = subject as { hash: string; images: { hash: string }[] };
    const hidden = [
      ...jobWords,
      'harmless',
      'misused',
      'kitchen table',
      'bread knife',
      ...[hash, images[0]!.hash, provenance.configuration].map((each) => each.slice('sha256:'.length)),
      ...transcript.flatMap((entry) => ('inputHash' in entry ? [entry.inputHash.slice('sha256:'.length)] : [])),
    ];
    expect(hidden.filter((word) => text.includes(word))).toEqual([]);
    // The statement is in base64.
    const payload = Buffer.from(/"payload": "([^"]+)"/.exec(text)![1]!, 'base64').toString();
    expect(hidden.filter((word) => payload.includes(word))).toEqual([]);
    expect(jobWords.filter((word) => !JSON.stringify(opening).includes(word))).toEqual([]);
    expect(text).toContain('"label":"unsafe"');
    expect(namesOf(bytes).filter((name) => name.startsWith('subject/'))).toEqual([
      'subject/content.json',
      'subject/redacted-0001.json',
    ]);
  });

  test('of numbers in documents shows none of them', async () => {
    // Five digits in a row are in some hash by chance.
    const text = Buffer.from((await bundle('documents', secret)).bytes)
      .toString('latin1')
      .replaceAll(/[0-9a-f]{32,}/g, '');
    expect(['APAC', '41260', '47449', '15%', 'Revenue', 'report.md'].filter((word) => text.includes(word))).toEqual([]);
  });

  test('is the same whenever it is made, and other under another secret', async () => {
    const { bytes } = await bundle('moderation', secret);
    expect((await bundle('moderation', secret)).bytes).toEqual(bytes);
    expect((await bundle('moderation', `${secret}2`)).bytes).not.toEqual(bytes);
  });

  test('is not opened by the opening of another, nor by one that was changed', async () => {
    const { bytes, opening } = await bundle('moderation', secret);
    const other = (await bundle('moderation', `${secret}2`)).opening;
    const lie = JSON.parse(JSON.stringify(opening).replace('Zebulon', 'Barnaby')) as RedactedOpening;
    for (const wrong of [other, lie]) {
      const { holds, checks } = await verify(bytes, wrong);
      expect(holds).toBe(false);
      expect(checks.at(-1)).toMatchObject({ name: 'opening', outcome: 'wrong' });
    }
  });
});
