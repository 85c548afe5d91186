import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mirrorHash } from '@agonhq/engine/fingerprint';
import { openKnownImageLists, parseKnownImageList } from './index.ts';

const [first, second] = ['0123456789abcdef'.repeat(4), 'f0'.repeat(32)] as const;
const near = `3${first.slice(1)}`;

describe('a list is read', () => {
  const entries = [
    { hash: first, label: 'an attack', source: 'the hotline' },
    { hash: second, label: null, source: null },
  ];
  test.each([
    ['text', 'a.txt', `# ours\n${first.toUpperCase()} an attack, the hotline\n\n${second}\r\n`],
    ['CSV', 'a.csv', `PDQ,label,source\n${first},an attack,the hotline\n${second},,\n`],
    ['JSON', 'a.json', JSON.stringify([{ hash: first, label: 'an attack', source: 'the hotline' }, second])],
    ['JSON with a name', 'a.json', JSON.stringify({ name: 'x', hashes: [{ ...entries[0] }, second] })],
  ])('as %s', async (_, file, text) => {
    expect(await parseKnownImageList(text, file)).toEqual(entries);
  });

  test.each([
    ['a.txt', `${first}\nnot a hash\n`, 'Line 2 of a.txt is no entry of a list: hash is not a PDQ hash'],
    ['a.csv', `hash\n${first}\nabc\n`, 'Line 3 of a.csv is no entry'],
    ['a.json', `[\n"${first}",\n"abc"]`, 'Entry 2 (line 3) of a.json is no entry'],
    ['a.json', '[', 'a.json is no JSON'],
    ['a.json', '{"hash":1}', 'a.json is neither a list of hashes'],
  ])('unless something in %s is no entry, which is named', async (file, text, message) => {
    await expect(parseKnownImageList(text, file)).rejects.toMatchObject({
      code: 'bad-known-images',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('an image is held against lists', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(path.join(tmpdir(), 'agon-lists-'))));
  afterAll(async () => rm(folder, { recursive: true }));
  const image = (pdq: string, quality = 100) => [{ id: 'image-1', fingerprint: { pdq, quality } }];

  test('by its nearest entry, mirrored copies too, and what differs more is not on it', async () => {
    const file = path.join(folder, 'stop.txt');
    await writeFile(file, `${second}\n${first} an attack\n`);
    const lists = openKnownImageLists([file]);
    expect(await lists.find(image(near))).toMatchObject([
      { image: 'image-1', list: 'stop', distance: 2, mirrored: false, entry: { hash: first, label: 'an attack' } },
    ]);
    expect(await lists.find(image(mirrorHash(near)))).toMatchObject([{ distance: 2, mirrored: true }]);
    expect(await lists.find(image('0'.repeat(64)))).toEqual([]);
    expect(await openKnownImageLists([file], { distance: 1 }).find(image(near))).toEqual([]);
  });

  test('one with little to tell it by is on it only if it is the very same', async () => {
    const file = path.join(folder, 'plain.txt');
    await writeFile(file, first);
    const lists = openKnownImageLists([file]);
    expect(await lists.find(image(near, 10))).toEqual([]);
    expect(await lists.find(image(first, 10))).toHaveLength(1);
  });

  test('a list that changed is read anew, and one that broke stops everything', async () => {
    const file = path.join(folder, 'changing.txt');
    await writeFile(file, second);
    const lists = openKnownImageLists([file]);
    expect(await lists.find(image(first))).toEqual([]);
    await writeFile(file, `${second}\n${first}`);
    await utimes(file, new Date(), new Date(Date.now() + 2_000));
    expect(await lists.find(image(first))).toHaveLength(1);
    expect(await lists.describe()).toMatchObject([{ name: 'changing', entries: 2 }]);
    await writeFile(file, 'oops');
    await expect(lists.find(image(first))).rejects.toMatchObject({ code: 'bad-known-images' });
    await rm(file);
    await expect(lists.find(image(first))).rejects.toMatchObject({ code: 'bad-known-images' });
  });
});
