import { describe, expect, test } from 'vitest';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemReading } from '../../datasets/labelled-item.ts';
import { readLabelledContent } from './labelled-content.ts';

const read = (value: unknown, options: ItemReading = {}) => readLabelledContent(value, { root: '/data', ...options });

describe('a labelled item', () => {
  test.each<[unknown, boolean]>([
    ['safe', false],
    ['unsafe', true],
    ['harmful', true],
    ['unharmful', false],
    ['Unsafe ', true],
    [0, false],
    [1, true],
    ['0', false],
    ['1', true],
    [true, true],
    [false, false],
    ['True', true],
    ['false', false],
  ])('has a label: %j', (label, unsafe) => {
    expect(read({ text: 'a', label }).label).toBe(unsafe ? 'unsafe' : 'safe');
  });

  test('has an id, a text, a category and a mark of refusals; the rest is left alone', () => {
    expect(
      read({ id: 7, text: 'a', label: 1, category: 'weapons', looks_like_refusal: true, target: 'women' }),
    ).toEqual({
      id: '7',
      label: 'unsafe',
      subject: { id: '7', text: 'a' },
      category: 'weapons',
      trivial: true,
      raters: null,
      modality: 'text',
    });
  });

  test('lacks what is "None", empty or null', () => {
    expect(read({ text: 'None', image_description: 'A cat.', image: '', label: 0 }).subject).toEqual({
      images: [{ description: 'A cat.' }],
    });
    expect(read({ text: 'Hello.', image_description: null, label: 0 }).subject).toEqual({ text: 'Hello.' });
  });

  test('is read by its description where it has one, unless its image is asked for', () => {
    const both = { text: 'a', image: 'cat.png', image_description: 'A cat.', label: 0 };
    expect(read(both).subject).toEqual({ text: 'a', images: [{ description: 'A cat.' }] });
    expect(read(both, { preferImages: true }).subject).toEqual({ text: 'a', images: [{ file: '/data/cat.png' }] });
    expect(read({ image: 'cat.png', label: 0 }).subject).toEqual({ images: [{ file: '/data/cat.png' }] });
    expect(read({ image_description: 'A cat.', label: 0 }, { preferImages: true }).subject).toEqual({
      images: [{ description: 'A cat.' }],
    });
  });

  test('keeps its label when its content cannot be read', () => {
    const item = read({ image: '../secret.png', label: 'unsafe' });
    expect(item.label).toBe('unsafe');
    expect(item.subject).toBeInstanceOf(AgonError);
    expect(item.subject).toMatchObject({ code: 'path-outside-root' });
  });

  test('may call its fields and labels otherwise', () => {
    const options = {
      fields: { text: 'comment', label: 'kind' },
      labels: { hateful: 'unsafe', '0': 'unsafe' },
      by: 'target',
    } as const;
    expect(read({ comment: 'a', kind: 'hateful', text: 'not this', target: ['x', 'b'] }, options)).toMatchObject({
      label: 'unsafe',
      subject: { text: 'a' },
      category: 'b + x',
    });
    expect(read({ comment: 'a', kind: 0 }, options).label).toBe('unsafe');
  });
});

test.each([
  [42],
  ['text'],
  [null],
  [[]],
  [{ text: 'a' }],
  [{ text: 'a', label: 'perhaps' }],
  [{ text: 'a', label: {} }],
])('%j is not a labelled item', (value) => {
  expect(() => read(value)).toThrow(
    expect.objectContaining({ code: 'broken-line', hint: expect.stringContaining('harmful/unharmful') }),
  );
});
