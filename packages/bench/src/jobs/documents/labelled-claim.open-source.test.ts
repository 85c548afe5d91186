import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openClaimSource } from './labelled-claim.ts';

const root = await mkdtemp(path.join(tmpdir(), 'agon-sources-'));
await mkdir(path.join(root, 'all_csv'));
await writeFile(path.join(root, 'all_csv', 'a.csv'), 'x#y\n1#2\n');
await writeFile(path.join(root, 'b.txt.gz'), gzipSync('It rained.'));
const text = async (...source: Parameters<typeof openClaimSource>) =>
  new TextDecoder().decode((await openClaimSource(...source)).bytes);

test('of several places the first that there is holds the document, packed or not', async () => {
  expect(await text({ path: 'data/all_csv/a.csv', entry: null, others: ['all_csv/a.csv', 'a.csv'] }, root)).toBe(
    'x#y\n1#2\n',
  );
  expect(await text({ path: 'b.txt.gz', entry: null }, root)).toBe('It rained.');
  expect(await text({ text: 'It is dry.' }, root)).toBe('It is dry.');
});

test('where there is none, the first is named', async () => {
  await expect(openClaimSource({ path: 'data/c.csv', entry: null, others: ['c.csv'] }, root)).rejects.toMatchObject({
    code: 'unreadable-file',
    message: 'c.csv cannot be read: there is no such file.',
  });
});

test.each([['../secret.txt'], ['/etc/hosts'], ['a/../../secret.txt']])(
  'nothing outside the root is reached: %s',
  async (place) => {
    await expect(openClaimSource({ path: place, entry: null }, root)).rejects.toMatchObject({
      code: 'path-outside-root',
    });
    await expect(openClaimSource({ path: 'none.txt', entry: null, others: [place] }, root)).rejects.toMatchObject({
      code: 'path-outside-root',
    });
  },
);
