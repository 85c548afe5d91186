import { expect, test } from 'vitest';
import { extendDictionary } from './write-dictionary.ts';

const none = new Uint8Array();
const said = 'No concrete violation was found, and no benign context had to override one.';

function makeAnswer(text: string, more: object = {}) {
  return {
    id: 'mod-0123456789abcdef',
    subject: { hash: 'sha256:abc', context: { role: 'Zeisig', level: 'Zeisig' } },
    sources: [{ id: 'text', text }],
    verdict: { label: 'safe', rule: { why: `${said} “${text}” is all.` }, evidence: [{ quote: text.slice(0, 5) }] },
    decoded: text.slice(3, 9),
    ...more,
  };
}

const readDictionary = (dictionary: Uint8Array): string => Buffer.from(dictionary).toString();

test('a dictionary has what an answer says, and nothing of the subject', () => {
  const text = 'Meet Anna at nine';
  const dictionary = readDictionary(extendDictionary(none, makeAnswer(text), [text]));
  expect(dictionary).toContain(`{"label":"safe","rule":{"why":"${said} “” is all."}`);
  for (const word of ['mod-', 'abc', 'Anna', 'Meet', 'Zeisig']) expect(dictionary).not.toContain(word);
});

test('an answer that says the same of another text adds nothing, and one that says more is added', () => {
  const first = extendDictionary(none, makeAnswer('Meet Anna at nine'), ['Meet Anna at nine']);
  expect(extendDictionary(first, makeAnswer('Buy two tickets'), ['Buy two tickets'])).toBe(first);
  const more = { more: Array.from({ length: 40 }, (_, index) => `${index * 7919} of ${index * 104_729}`) };
  const second = extendDictionary(first, makeAnswer('Buy two tickets', more), ['Buy two tickets']);
  expect(readDictionary(second)).toContain('7919 of 104729');
  expect(readDictionary(second).endsWith(readDictionary(first))).toBe(true);
});

test('an answer that repeats what somebody wrote adds nothing', () => {
  const text = `They told me: ${said} I do not believe it.`;
  expect(extendDictionary(none, makeAnswer('Meet Anna at nine'), [text])).toBe(none);
});

test('a dictionary is no longer than a compressor looks back', () => {
  const long = { more: Array.from({ length: 5_000 }, (_, index) => `${index * 7919}`) };
  expect(extendDictionary(none, makeAnswer('Meet Anna at nine', long), [])).toBe(none);
});
