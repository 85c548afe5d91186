import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeTinyModel } from '@agonhq/test/support/tiny-gguf.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import { addModel, parseModelSource, readModelNote, removeModel } from './add-model.ts';
import { findModelFile, listLocalModels } from './find-model.ts';

/* A hub of our own: it names the hash, and sends to another address for the file, as the real one does. */

const source = parseModelSource('hf:someone/tiny-GGUF/models/tiny.gguf@v1');
const place = '/someone/tiny-GGUF/resolve/v1/models/tiny.gguf';

interface Hub extends AsyncDisposable {
  environment: Record<string, string>;
  requests: IncomingMessage[];
  content: Buffer;
}

type Answer = (request: IncomingMessage, response: ServerResponse, content: Buffer) => boolean;

async function startHub(answer: Answer = () => false): Promise<Hub> {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-hub-'));
  await writeTinyModel(path.join(home, 'served.gguf'));
  const content = await readFile(path.join(home, 'served.gguf'));
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    if (answer(request, response, content)) return;
    if (request.method === 'HEAD') sendElsewhere(response, content);
    else sendFile(request, response, content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    environment: { AGON_HOME: home, HF_ENDPOINT: url, HF_TOKEN: 'a-token' },
    requests,
    content,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendElsewhere(
  response: ServerResponse,
  content: Buffer,
  hash = sha256(content).slice('sha256:'.length),
): void {
  response.writeHead(302, {
    location: '/storage/tiny',
    'x-linked-etag': `"${hash}"`,
    'x-linked-size': String(content.length),
    'x-repo-commit': 'c0ffee',
  });
  response.end();
}

function sendFile({ headers, url }: IncomingMessage, response: ServerResponse, content: Buffer): void {
  if (url !== '/storage/tiny') return void response.writeHead(404).end();
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  response.writeHead(from > 0 ? 206 : 200, { 'content-length': content.length - from });
  response.end(content.subarray(from));
}

async function failure(work: Promise<unknown>): Promise<AgonError> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!AgonError.is(error)) throw new Error(`expected an AgonError, not ${String(error)}`);
  return error;
}

test('a model is fetched from where the hub sends, checked, and found by its name', async () => {
  await using hub = await startHub();
  const { environment, content } = hub;
  const told: number[] = [];
  const added = await addModel(source, { environment, onProgress: (bytes) => told.push(bytes) });
  expect(added.isNew).toBe(true);
  expect(await readFile(added.path)).toEqual(content);
  expect(told.at(-1)).toBe(content.length);
  expect(hub.requests[0]!.url).toBe(place);
  expect(hub.requests[0]!.headers.authorization).toBe('Bearer a-token');
  expect(listLocalModels(environment)).toEqual(['tiny']);
  expect(findModelFile('tiny', environment)).toMatchObject({ path: added.path, digest: sha256(content) });
  expect(await readModelNote('tiny', environment)).toMatchObject({
    source: 'hf:someone/tiny-GGUF/models/tiny.gguf@v1',
    commit: 'c0ffee',
  });
  expect(await addModel(source, { environment })).toEqual({ path: added.path, isNew: false });
  expect(await removeModel('tiny', environment)).toBe(true);
  expect(await removeModel('tiny', environment)).toBe(false);
  expect(listLocalModels(environment)).toEqual([]);
});

test('the token is for the hub, and for nobody that it sends to', async () => {
  await using storage = await startHub();
  await using hub = await startHub((request, response, content) => {
    if (request.method !== 'HEAD') return false;
    response.writeHead(302, {
      location: `${storage.environment['HF_ENDPOINT']}/storage/tiny`,
      'x-linked-etag': `"${sha256(content).slice('sha256:'.length)}"`,
      'x-linked-size': String(content.length),
    });
    response.end();
    return true;
  });
  await addModel(source, { environment: hub.environment });
  expect(hub.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token']);
  expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  await using own = await startHub();
  await addModel(source, { environment: own.environment });
  expect(own.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', 'Bearer a-token']);
});

test('what names no file of a repository is no place of a model', () => {
  expect(parseModelSource('hf:a/b/c/d.gguf')).toEqual({
    repository: 'a/b',
    file: 'c/d.gguf',
    revision: 'main',
    name: 'd',
  });
  for (const text of [
    'a/b/c.gguf',
    'hf:a/c.gguf',
    'hf:a/b/c.bin',
    'hf:a/b/../c.gguf',
    'hf:a/b/c.gguf@',
    'hf:a/b/c.gguf@..',
  ])
    expect(() => parseModelSource(text), text).toThrow(AgonError);
});

test('a download that breaks off goes on where it stopped', async () => {
  let cuts = 0;
  await using hub = await startHub((request, response, content) => {
    if (request.method === 'HEAD' || cuts > 0) return false;
    cuts += 1;
    response.writeHead(200, { 'content-length': content.length });
    response.write(content.subarray(0, 30_000), () => response.destroy());
    return true;
  });
  const { environment } = hub;
  const error = await failure(addModel(source, { environment }));
  expect(error).toMatchObject({ code: 'unfetched-model', hint: expect.stringContaining('goes on where it stopped') });
  expect(listLocalModels(environment)).toEqual([]);
  const [partial] = await readdir(path.join(environment['AGON_HOME']!, 'language-models'));
  const { size } = await stat(path.join(environment['AGON_HOME']!, 'language-models', partial!));
  const { path: file } = await addModel(source, { environment });
  expect(await readFile(file)).toEqual(hub.content);
  expect(hub.requests.at(-1)!.headers.range).toBe(size > 0 ? `bytes=${size}-` : undefined);
});

test('a file with another hash is refused, and nothing of it stays', async () => {
  await using hub = await startHub((request, response, content) => {
    if (request.method === 'HEAD') sendElsewhere(response, content, '0'.repeat(64));
    return request.method === 'HEAD';
  });
  const { environment } = hub;
  expect(await failure(addModel(source, { environment }))).toMatchObject({ code: 'wrong-checksum' });
  expect(await readdir(path.join(environment['AGON_HOME']!, 'language-models'))).toEqual([]);
});

test('a pinned hash counts for more than what the hub says', async () => {
  await using hub = await startHub();
  const { environment } = hub;
  const pinned = await failure(addModel(source, { environment, sha256: 'f'.repeat(64) }));
  expect(pinned.message).toMatch(/instead of f{64}/);
});

test.each([
  [404, 'There is no models/tiny.gguf at revision v1 of someone/tiny-GGUF.'],
  [401, 'someone/tiny-GGUF does not exist, or is only for those who were let in (HTTP 401).'],
  [500, /answered with HTTP 500/],
])('HTTP %s is one line', async (status, message) => {
  await using hub = await startHub((_, response) => {
    response.writeHead(status).end();
    return true;
  });
  const error = await failure(addModel(source, { environment: hub.environment }));
  expect(error.code).toBe('unfetched-model');
  expect(error.message).toMatch(message);
});

test('a hub that is away, one that names no hash, and a model of the same name', async () => {
  await using bare = await startHub((request, response, content) => {
    if (request.method === 'HEAD') response.writeHead(200, { 'content-length': content.length }).end();
    return request.method === 'HEAD';
  });
  const unhashed = await failure(addModel(source, { environment: bare.environment }));
  expect(unhashed.hint).toContain('--sha256');
  const away = { ...bare.environment, HF_ENDPOINT: 'http://127.0.0.1:9' };
  expect((await failure(addModel(source, { environment: away }))).code).toBe('unfetched-model');
  await using hub = await startHub();
  await addModel(source, { environment: hub.environment });
  const other = addModel(source, { environment: hub.environment, sha256: 'e'.repeat(64) });
  expect((await failure(other)).code).toBe('model-exists');
});

test.each(['hf:owner/file.gguf', 'hf:a/b/c.bin', 'hf:a/b/../../c.gguf', 'https://example.com/c.gguf'])(
  '%s is not the place of a model',
  (text) => {
    expect(() => parseModelSource(text)).toThrow(expect.objectContaining({ code: 'bad-model-name' }));
  },
);
