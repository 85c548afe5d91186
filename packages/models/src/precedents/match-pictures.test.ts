import { expect, test } from 'vitest';
import { precedent, wordEmbedder } from '@agonhq/test/support/precedents.ts';
import { mirrorHash, type Fingerprint } from '@agonhq/engine/fingerprint';
import { openLibrary } from './open-library.ts';
import type { KeptPrecedent } from './precedent.ts';

const hash = (start: string) => `${start}${'0123456789abcdef'.repeat(4)}`.slice(0, 64);
const [own, copy, stranger] = [hash('1111'), hash('1113'), 'f0'.repeat(32)] as const;
const picture = (pdq: string, given: Partial<Fingerprint> = {}): Fingerprint => ({ pdq, quality: 100, ...given });

const search = async (kept: readonly KeptPrecedent[], pictures: readonly Fingerprint[], measured?: string) => {
  const library = await openLibrary({ seeds: kept, store: null, embedder: wordEmbedder(['knife', 'dog', 'street']) });
  const query = {
    text: 'a knife',
    modality: 'image' as const,
    pictures,
    limit: 3,
    ...(measured ? { subject: measured, copies: true } : {}),
  };
  return library.search({ ...query, signal: new AbortController().signal });
};

test('a copy of a decided picture comes first, and says how it is one', async () => {
  const kept = [
    precedent('words', { text: 'a knife in the street', modality: 'image' }),
    precedent('same', { text: 'a dog', modality: 'image', pictures: [picture(own)] }),
    precedent('other', { text: 'a street', modality: 'image', pictures: [picture(stranger)] }),
  ];
  const { precedents } = await search(kept, [picture(copy)]);
  expect(precedents[0]).toMatchObject({ id: 'same', picture: { distance: 1, of: 256, mirrored: false } });
  expect(precedents.slice(1).every((one) => one.picture === undefined)).toBe(true);
});

test('although small image models say the same words of both', async () => {
  const { precedents } = await search(
    [precedent('same', { text: 'a knife', pictures: [picture(own)] })],
    [picture(copy)],
  );
  expect(precedents.map(({ id }) => id)).toEqual(['same']);
});

test('mirrored, and cropped on either side', async () => {
  const found = async (kept: Fingerprint, wanted: Fingerprint) =>
    (await search([precedent('same', { text: 'a dog', pictures: [kept] })], [wanted])).precedents[0]?.picture;
  expect(await found(picture(own), picture(mirrorHash(copy)))).toMatchObject({ distance: 1, mirrored: true });
  expect(await found(picture(stranger, { crops: [own] }), picture(copy))).toMatchObject({ distance: 1 });
  expect(await found(picture(own), picture(stranger, { crops: [copy] }))).toMatchObject({ distance: 1 });
  expect(await found(picture(own, { quality: 20 }), picture(own))).toBeUndefined();
});

test('where verdicts are measured a case never sees its own lesson', async () => {
  const kept = precedent('same', {
    text: 'a dog',
    pictures: [picture(own)],
    provenance: { kind: 'learnt', subject: 'sha256:it' },
  });
  expect((await search([kept], [picture(own)])).precedents).toMatchObject([{ id: 'same' }]);
  const { precedents, excluded } = await search([kept], [picture(own)], 'sha256:it');
  expect(precedents).toEqual([]);
  expect(excluded).toMatchObject([{ id: 'same', reason: 'itself' }]);
});
