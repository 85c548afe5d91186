import { expect, test } from 'vitest';
import { sumDisclosures, type Disclosure } from './index.ts';

const got = (more: Partial<Disclosure>): Disclosure => ({
  host: 'api.example.com',
  here: false,
  at: '2026-01-01T00:00:00.000Z',
  bytes: 100,
  masked: {},
  unmasked: {},
  images: 0,
  withheldImages: 0,
  recordings: 0,
  ...more,
});

test('what each model got is summed up, and the same values are not counted again', () => {
  const rows = sumDisclosures([
    { model: 'a:x', disclosure: got({ masked: { mail: 2 }, images: 1, at: '2026-01-01T00:00:02.000Z' }) },
    { model: 'a:x', disclosure: got({ masked: { mail: 1, phone: 1 } }) },
    { model: 'b:y', disclosure: got({ host: '127.0.0.1:1', here: true, at: '2026-01-01T00:00:01.000Z' }) },
    { model: 'a:x', disclosure: null },
    { model: 'a:x' },
  ]);
  expect(rows).toMatchObject([
    { model: 'a:x', requests: 2, bytes: 200, masked: { mail: 2, phone: 1 }, images: 1, first: got({}).at },
    { model: 'b:y', requests: 1, here: true },
  ]);
});
