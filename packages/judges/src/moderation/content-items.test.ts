import { expect, test } from 'vitest';
import { readModerationItem } from './content-items.ts';

const read = (value: unknown) => readModerationItem(value, '/data/set');

test('an item is a text, images, descriptions or all of them; other fields are left alone', () => {
  expect(read({ id: 7, text: 'a', label: 'unsafe' })).toEqual({ id: '7', text: 'a' });
  expect(read({ id: 'x', text: null, image: 'pictures/1.png' })).toEqual({
    id: 'x',
    images: [{ file: '/data/set/pictures/1.png' }],
  });
  expect(read({ image: ['1.png', '..2.png'], image_description: 'A cat.' })).toEqual({
    images: [{ file: '/data/set/1.png' }, { file: '/data/set/..2.png' }, { description: 'A cat.' }],
  });
});

test.each(['../secret.png', '/etc/passwd', 'a/../../b.png', '..'])(
  'the image %s lies outside the folder of the images and is refused',
  (image) => {
    expect(() => read({ image })).toThrow(
      expect.objectContaining({
        code: 'path-outside-root',
        hints: expect.objectContaining({ cli: expect.stringContaining('--root') }),
      }),
    );
  },
);

test.each([[42], ['text'], [null], [[]], [{ text: 5 }], [{ image: {} }], [{ id: {} }]])(
  '%j is not an item',
  (value) => {
    expect(() => read(value)).toThrow(
      expect.objectContaining({ code: 'broken-line', hint: expect.stringContaining('"image_description"') }),
    );
  },
);
