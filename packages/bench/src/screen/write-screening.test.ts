import { describe, expect, test } from 'vitest';
import { blindLine, itemLine, keyLine, screenedLine } from './write-screening.ts';
import { openRawReader } from './raw-data.ts';
import type { ItemScreen } from './screen-items.ts';
import { AgonError } from '@agonhq/engine/agon-error';

const screen: ItemScreen = {
  line: 4,
  id: 'a',
  gold: 'unsafe',
  reasons: [{ why: 'disagreement' }],
  systems: { guard: { label: 'safe', score: 0.2 } },
  majority: 'safe',
  difficulty: 0.5,
};
const item = itemLine(
  { id: 'a', text: 'A post', label: 1, category: 'insults', looks_like_refusal: false },
  { id: 'a', gold: 'unsafe' },
);

test('a flagged item is the item as it was, with what the systems made of it', () => {
  expect(screenedLine(item, screen)).toEqual({
    id: 'a',
    text: 'A post',
    label: 1,
    category: 'insults',
    looks_like_refusal: false,
    screen: { reasons: [{ why: 'disagreement' }], systems: { guard: { label: 'safe', score: 0.2 } }, difficulty: 0.5 },
  });
});

test('a label that only a mapping explains is written in our words, and none is invented', () => {
  expect(itemLine({ text: 'A post', label: 'hateful' }, { id: 'line-2', gold: 'unsafe' })).toEqual({
    id: 'line-2',
    text: 'A post',
    label: 'unsafe',
  });
  expect(itemLine({ text: 'A post' }, { id: 'line-2', gold: null })).toEqual({ id: 'line-2', text: 'A post' });
});

test('a blind item shows nothing but what is judged; the key has the rest', () => {
  expect(blindLine(item, ['text', 'image', 'image_description'])).toEqual({ id: 'a', text: 'A post' });
  expect(keyLine(item, ['text', 'image', 'image_description'], screen)).toMatchObject({
    id: 'a',
    line: 4,
    label: 'unsafe',
    item: { category: 'insults', looks_like_refusal: false },
    screen: { difficulty: 0.5 },
  });
  expect(
    blindLine({ id: 'b', prompt: 'A question', response: 'An answer', model: 'ours-1', risk: 'explicit', label: 1 }, [
      'prompt',
      'response',
      'messages',
    ]),
  ).toEqual({ id: 'b', prompt: 'A question', response: 'An answer' });
});

describe('a raw item', () => {
  const read = openRawReader((fields: unknown) => {
    const { label, raters } = fields as { label?: string; raters?: string[] };
    const known = label ?? raters?.[0];
    if (known !== 'safe' && known !== 'unsafe')
      throw new AgonError('broken-line', `The label ${known} is not known.`, '');
    return { label: known, category: null, trivial: false, raters: null, modality: null };
  }, 'safe');

  test.each([
    [{ label: 'unsafe' }, 'unsafe'],
    [{ label: 'safe' }, 'safe'],
    [{}, null],
    [{ label: null }, null],
    [{ label: ' ' }, null],
    [{ label: 'None' }, null],
    [{ raters: ['unsafe'] }, 'unsafe'],
    [{ raters: ['odd'] }, null],
  ])('%j has the label %j', (fields, gold) => {
    expect(read(fields).gold).toBe(gold);
  });

  test('with a label that nobody knows is broken, not unlabelled', () => {
    expect(() => read({ label: 'maybe' })).toThrow('maybe is not known');
  });
});
