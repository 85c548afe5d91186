import { afterAll, beforeAll, expect, test } from 'vitest';
import { newSigningKey, openBundledLedger, recordTinyCase } from '@agonhq/test/support/bundled-case.ts';
import { sampleCases } from '@agonhq/test/support/slow.ts';
import { sealAnswer } from '@agonhq/engine/debate';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import type { Ledger } from '../index.ts';
import type { AnsweredCase } from './collect-case.ts';
import { bundleCase } from './make-bundle.ts';
import type { SigningKey } from './signing-key.ts';

/* Whoever has a redacted bundle and knows the configuration tries what the content might be. */

const secret = 'a-secret-of-the-tests-that-is-long-enough';
const text = 'pin 480713';
const configuration = hashOf(1);
const idOf = (guess: string) => `mod-${hashOf([hashOf(guess), configuration]).slice(7, 23)}`;

let ledger: Ledger;
let record: AnsweredCase;
let key: SigningKey;
beforeAll(async () => {
  ledger = await openBundledLedger();
  record = await recordTinyCase(ledger, { id: idOf(text), text });
  key = await newSigningKey();
});
afterAll(() => ledger.close());

/** Every run of hexadecimal digits in a bundle, by its beginning; those of the statement too. */
async function listDigests(redactWith?: string): Promise<ReadonlySet<string>> {
  const { bytes } = await bundleCase(ledger, record, { key, ...(redactWith ? { redactWith } : {}) });
  const written = Buffer.from(bytes).toString('latin1');
  const payload = Buffer.from(/"payload": "([^"]+)"/.exec(written)![1]!, 'base64').toString();
  return new Set(Array.from(`${written}${payload}`.matchAll(/[0-9a-f]{16,}/g), ([run]) => run.slice(0, 16)));
}

function findGuess(guesses: Iterable<string>, digests: ReadonlySet<string>): string | undefined {
  for (const guess of guesses) {
    const hashes = [sha256(guess), hashOf(guess), hashOf({ text: guess }), idOf(guess).replace('mod-', 'sha256:')];
    if (hashes.some((one) => digests.has(one.slice(7, 23)))) return guess;
  }
  return undefined;
}

test('a million short texts do not open a redacted bundle; one that is not redacted they do', async () => {
  const all = Array.from({ length: 1_000_000 }, (_, number) => `pin ${String(number).padStart(6, '0')}`);
  expect(findGuess([text], await listDigests())).toBe(text);
  expect(findGuess([text, ...sampleCases(all, 20)], await listDigests(secret))).toBeUndefined();
});

test('nor does an answer that is made again to the letter, whose seal is that on record', async () => {
  const { seal, ...rest } = record.answer;
  const again = sealAnswer(rest).seal;
  expect(again).toBe(seal);
  expect(await listDigests()).toContain(again.slice(7, 23));
  expect(await listDigests(secret)).not.toContain(again.slice(7, 23));
});

test('nor does its name, or the score that a model gives to one text alone', async () => {
  const { id, bytes } = await bundleCase(ledger, record, { key, redactWith: secret });
  const written = Buffer.from(bytes).toString('latin1');
  expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(written).not.toContain(record.id);
  expect(/"(?:score|risk)":(?!\{"\$redacted")[^,}]*/.exec(written.replaceAll(/: (?=[^"])/g, ':'))).toBeNull();
});
