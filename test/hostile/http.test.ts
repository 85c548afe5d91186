import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect } from 'vitest';
import { expectProblem } from '../support/contract/ask.ts';
import { rawHttp } from '../support/contract/raw-http.ts';
import { runningServer, type ServerUnderTest } from '../support/running-server.ts';
import { describeHostile, type HostileCase } from './corpus.ts';

/* Requests that no client of ours would send: refused with a problem and its code, or answered; never a failure. */

let server: ServerUnderTest;
beforeAll(async () => {
  server = await runningServer({ server: { bodyBytes: 200_000, uploadBytes: 2_000_000 } });
}, 60_000);
afterAll(async () => {
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  await server[Symbol.asyncDispose]();
});

/** It was answered below 500, and the server judges on. */
async function expectSound(response: Response, about: string): Promise<void> {
  if (response.status >= 400) expect(JSON.stringify(await expectProblem(response, about))).not.toContain(server.home);
  else await response.body?.cancel();
  expect(response.status, about).toBeLessThan(500);
  expect((await server.call('/healthz')).status).toBe(200);
}

/** The words of a request over a socket: refused, or closed without a word. `fine` where an answer is right. */
async function expectRaw(bytes: string | Uint8Array, { fine = false } = {}): Promise<void> {
  const { text, statuses } = await rawHttp(server.url, bytes, { patienceMs: 1_000 });
  expect(statuses.length, text.slice(0, 300)).toBeLessThanOrEqual(1);
  for (const status of statuses) {
    expect(status, text.slice(0, 300)).toBeLessThan(500);
    if (!fine) expect(status, text.slice(0, 300)).toBeGreaterThanOrEqual(400);
  }
  expect(text).not.toContain(server.home);
  expect((await server.call('/healthz')).status).toBe(200);
}

const host = () => `Host: ${new URL(server.url).host}\r\n`;
const json = '{"text":"a"}';

// Lines and headers

const methods = [
  'TRACE',
  'CONNECT',
  'BREW',
  'get',
  'PROPFIND',
  'QUERY',
  'M-SEARCH',
  'GET\t',
  'G E T',
  '\u0000GET',
  'PRI',
];
const versions = ['HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1.1', 'HTTP/1', 'http/1.1', 'FTP/1.1', ''];
const headers: Record<string, string> = {
  'two lengths': 'Content-Length: 12\r\nContent-Length: 17\r\n',
  'a length and pieces': 'Content-Length: 12\r\nTransfer-Encoding: chunked\r\n',
  'pieces of another kind': 'Transfer-Encoding: chunked, identity\r\n',
  'pieces, misspelt': 'Transfer-Encoding: xchunked\r\n',
  'pieces behind a tab': 'Transfer-Encoding:\tchunked\r\nContent-Length: 12\r\n',
  'a length below zero': 'Content-Length: -1\r\n',
  'a length with an exponent': 'Content-Length: 1e3\r\n',
  'a length in hexadecimal': 'Content-Length: 0xc\r\n',
  'a length that is a list': 'Content-Length: 12, 12\r\n',
  'a length beyond all numbers': `Content-Length: ${'9'.repeat(40)}\r\n`,
  'a space in a name': 'Content Length: 12\r\n',
  'a space before the colon': 'Content-Length : 12\r\n',
  'a folded line': 'X: a\r\n b\r\n',
  'no name': ': nothing\r\n',
  'no colon': 'nothing\r\n',
  'NUL in a name': 'X\u0000: a\r\n',
  'NUL in a value': 'X: a\u0000b\r\n',
  'a bare carriage return': 'X: a\rb\r\n',
  'a bare line feed': 'X: a\nContent-Length: 12\r\n',
  'a very long value': `X-Long: ${'x'.repeat(100_000)}\r\n`,
  'five thousand lines': Array.from({ length: 5_000 }, (_, index) => `X-${index}: y\r\n`).join(''),
};
const chunks: Record<string, string> = {
  'a size that is no number': 'zz\r\n{}\r\n0\r\n\r\n',
  'a size below zero': '-1\r\n{}\r\n0\r\n\r\n',
  'a size beyond all numbers': `${'f'.repeat(32)}\r\n{}\r\n0\r\n\r\n`,
  'a size that is too small': '1\r\n{"text":"a"}\r\n0\r\n\r\n',
  'no end of line': '2{}0\r\n\r\n',
  'a very long extension': `2;${'x'.repeat(50_000)}\r\n{}\r\n0\r\n\r\n`,
};
const forged: Record<string, string> = {
  'no Host': '',
  'two Hosts': 'Host: a\r\nHost: b\r\n',
  'a Host of others': 'Host: evil.example\r\n',
  'a Host with a path': 'Host: 127.0.0.1/evil\r\n',
  'a Host with credentials': 'Host: user@127.0.0.1\r\n',
  'an empty Host': 'Host: \r\n',
};

const lines: HostileCase[] = [
  ...methods.map((method) => ({
    name: `the method ${JSON.stringify(method)}`,
    run: () => expectRaw(`${method} /api/cases HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`),
  })),
  ...versions.map((version) => ({
    name: `the version ${JSON.stringify(version)}`,
    run: () => expectRaw(`GET /healthz ${version}\r\n${host()}Connection: close\r\n\r\n`, { fine: true }),
  })),
  ...Object.entries(headers).map(([name, words]) => ({
    name: `headers: ${name}`,
    run: () =>
      expectRaw(
        `POST /api/jobs/moderation/cases HTTP/1.1\r\n${host()}Content-Type: application/json\r\n${words}\r\n${json}GET /healthz ` +
          `HTTP/1.1\r\n${host()}\r\n`,
      ),
  })),
  ...Object.entries(chunks).map(([name, words]) => ({
    name: `pieces: ${name}`,
    run: () =>
      expectRaw(
        `POST /api/jobs/moderation/cases HTTP/1.1\r\n${host()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n` +
          `Connection: close\r\n\r\n${words}`,
      ),
  })),
  ...Object.entries(forged).map(([name, words]) => ({
    name: `hosts: ${name}`,
    run: () => expectRaw(`GET /api/cases HTTP/1.1\r\n${words}Connection: close\r\n\r\n`, { fine: true }),
  })),
];

// Paths

const paths = [
  '/../../etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/api/cases/..%2f..%2f',
  '/api/cases/%00',
  '/api/cases/%',
  '/api/cases/%zz',
  '/api/cases/%c0%af',
  '/api/cases/%ff%fe',
  '/api/cases/%F0%9F%99%82',
  '/api/cases/__proto__',
  '/api/cases/constructor',
  `/api/cases/${'a'.repeat(8_000)}`,
  '/api/cases/a%0d%0aSet-Cookie:%20a=b',
  '/api/cases/%E2%80%AEevil',
  '//evil.example/api',
  '/api//cases',
  '/API/cases',
  '/api/cases/',
  '/api/cases;x=1',
  '/.git/config',
  '/docs/../package.json',
  '/\\..\\',
  `/${'a/'.repeat(3_000)}`,
  '/x?__proto__[x]=1',
  '/api/cases/mod-none/report?format=../../x',
  '/api/cases/x/attachments/sha256:..%2f..%2f',
  '/api/runs/..%2f..%2fledger.db',
  '/console/../../ledger.db',
  '/assets/..%5c..%5cledger.db',
  '*',
  'http://evil.example/healthz',
];
const walks: HostileCase[] = paths.map((where) => ({
  name: `the path ${where.slice(0, 60)}`,
  run: () => expectRaw(`GET ${where} HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`),
}));

// Queries

const values = [
  '',
  '-1',
  '1e999',
  'NaN',
  '0x10',
  '99999999999999999999',
  '%00',
  '%FF',
  '[]',
  '{}',
  "' or 1=1 --",
  '__proto__',
  '../..',
  '<script>',
  '%F0%9F%99%82',
  'a&limit=b',
];
const questions = [
  '/api/cases?limit=',
  '/api/cases?after=',
  '/api/cases?search=',
  '/api/cases?label=',
  '/api/precedents?limit=',
  '/api/queue?by=',
  '/api/overview?days=',
];
const queries: HostileCase[] = questions.flatMap((question) =>
  values.map((value) => ({
    name: `${question}${value}`,
    run: async () => expectSound(await server.call(`${question}${value}`), question),
  })),
);

// Bodies

const deep = (open: string, close: string, times: number) => `${open.repeat(times)}1${close.repeat(times)}`;
const bodies: Record<string, string | Uint8Array> = {
  nothing: '',
  'one brace': '{',
  'cut short': '{"text":"a',
  null: 'null',
  'a number': '7',
  'a text': '"a"',
  'a list': '[{"text":"a"}]',
  'two values': '{"text":"a"} {"text":"b"}',
  'a member twice': '{"text":"a","text":"b"}',
  'a comment': '{"text":"a"/* no */}',
  'a trailing comma': '{"text":"a",}',
  'single quotes': "{'text':'a'}",
  NaN: '{"text":NaN}',
  'a huge number': `{"text":"a","rounds":${'9'.repeat(5_000)}}`,
  'an exponent beyond all numbers': '{"text":"a","rounds":1e9999}',
  __proto__: '{"text":"a","__proto__":{"polluted":true}}',
  constructor: '{"text":"a","constructor":{"prototype":{"polluted":true}}}',
  'a text that is an object': '{"text":{"toString":"x"}}',
  'a text that is a list': '{"text":["a"]}',
  'a text that is true': '{"text":true}',
  'no text': '{"text":""}',
  'spaces alone': '{"text":"   "}',
  'NUL alone': String.raw`{"text":"\u0000"}`,
  'half a character': String.raw`{"text":"\ud800"}`,
  'an unknown member': '{"text":"a","evil":1}',
  'a thousand unknown members': `{"text":"a",${Array.from({ length: 1_000 }, (_, at) => `"m${at}":1`).join(',')}}`,
  'a member of a very long name': `{"text":"a","${'m'.repeat(50_000)}":1}`,
  'lists 50,000 deep': deep('[', ']', 50_000),
  'objects 20,000 deep': deep('{"a":', '}', 20_000),
  'a text over the limit': JSON.stringify({ text: 'x'.repeat(300_000) }),
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'UTF-16': Buffer.from('\ufeff{"text":"a"}', 'utf16le'),
  'a byte order mark': '\ufeff{"text":"a"}',
  'images that are no list': '{"images":{"length":1e9}}',
  'an image of no bytes': '{"images":[{"data":""}]}',
  'an image that is no base64': '{"images":[{"data":"%%%%"}]}',
  'an image by a file': '{"images":[{"file":"/etc/passwd"}]}',
  'an image by a file: URL': '{"images":[{"url":"file:///etc/passwd"}]}',
  'seventeen images': JSON.stringify({ images: Array.from({ length: 17 }, () => ({ description: 'a' })) }),
  'a policy that is a path': '{"text":"a","policy":"../../etc/passwd"}',
  XML: '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
};
const posts = ['/api/jobs/moderation/cases', '/api/jobs/evaluation/cases', '/v1/moderations', '/api/policies'];
const contents: HostileCase[] = posts.flatMap((where) =>
  Object.entries(bodies).map(([name, body]) => ({
    name: `${where}: ${name}`,
    run: async () =>
      expectSound(
        await server.call(where, { body: body as string, headers: { 'content-type': 'application/json' } }),
        name,
      ),
  })),
);

const types = [
  '',
  'text/plain',
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/json; charset=utf-7',
  'application/json, text/html',
  'APPLICATION/JSON',
  'application/json;',
  `application/json; x=${'y'.repeat(5_000)}`,
];
const encodings = ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip', 'identity', 'x-evil'];
const oddHeaders: Record<string, Record<string, string>> = {
  'a range': { range: 'bytes=0-0,1-1,2-2' },
  'a huge range': { range: `bytes=0-${'9'.repeat(30)}` },
  'an origin of others': { origin: 'https://evil.example' },
  'an origin of nobody': { origin: 'null' },
  'a forwarded host': { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
  'another method': { 'x-http-method-override': 'DELETE' },
  'an odd Accept': { accept: '*/*;q=x,,,' },
  'an odd language': { 'accept-language': 'a-'.repeat(500) },
  'an odd key': { authorization: 'Bearer \u00ff\u00fe' },
  'an odd idempotency key': { 'idempotency-key': 'x'.repeat(5_000) },
  'an odd request id': { 'x-request-id': '<script>' },
  'an odd traceparent': { traceparent: '00-zz-zz-zz' },
  Expect: { 'if-none-match': '*', 'if-match': '"x' },
};
const shapes: HostileCase[] = [
  ...types.map((type) => ({
    name: `the type ${JSON.stringify(type.slice(0, 60))}`,
    run: async () =>
      expectSound(
        await server.call('/api/jobs/moderation/cases', { body: json, headers: { 'content-type': type } }),
        type,
      ),
  })),
  ...encodings.map((encoding) => ({
    name: `a body in ${encoding}`,
    run: async () =>
      expectSound(
        await server.call('/api/jobs/moderation/cases', {
          body: gzipSync(json),
          headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        }),
        encoding,
      ),
  })),
  ...Object.entries(oddHeaders).map(([name, odd]) => ({
    name: `a header: ${name}`,
    run: async () => {
      const response = await server.call('/api/cases', { headers: odd });
      expect(response.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
      await expectSound(response, name);
    },
  })),
];

// Uploads

const part = (disposition: string, content: string, more = '') =>
  `--x\r\nContent-Disposition: ${disposition}\r\n${more}\r\n${content}\r\n`;
const uploads: Record<string, string> = {
  'no parts': '--x--\r\n',
  'no end': part('form-data; name="file"; filename="a.md"', '# A'),
  'no name': `${part('form-data', 'x')}--x--\r\n`,
  'no disposition': '--x\r\n\r\nx\r\n--x--\r\n',
  'another boundary': '--y\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n# A\r\n--y--\r\n',
  'a path for a name': `${part('form-data; name="file"; filename="../../../etc/passwd"', '# A')}--x--\r\n`,
  'a Windows path for a name': `${part('form-data; name="file"; filename="C:\\\\evil.md"', '# A')}--x--\r\n`,
  'NUL in a name': `${part('form-data; name="file"; filename="a\u0000.md"', '# A')}--x--\r\n`,
  'a name without end': `${part(`form-data; name="file"; filename="${'a'.repeat(20_000)}.md"`, '# A')}--x--\r\n`,
  'markup for a name': `${part('form-data; name="file"; filename="<img src=x onerror=alert(1)>.md"', '# A')}--x--\r\n`,
  '__proto__ for a field': `${part('form-data; name="__proto__"', 'x')}--x--\r\n`,
  'a thousand fields': `${Array.from({ length: 1_000 }, (_, at) => part(`form-data; name="f${at}"`, 'x')).join('')}--x--\r\n`,
  'a thousand files': `${Array.from({ length: 1_000 }, (_, at) => part(`form-data; name="file"; filename="${at}.md"`, '# A')).join('')}--x--\r\n`,
  'headers without end': `--x\r\n${'X: y\r\n'.repeat(5_000)}\r\nx\r\n--x--\r\n`,
  'a field of a megabyte': `${part('form-data; name="maxFactors"', '1'.repeat(1_000_000))}--x--\r\n`,
  'a wrong encoding': `${part('form-data; name="file"; filename="a.md"', '# A', 'Content-Transfer-Encoding: evil\r\n')}--x--\r\n`,
  'results of promptfoo, cut short': `${part('form-data; name="job"', 'evaluation')}${part('form-data; name="file"; filename="a.json"', '{\n"results": [')}--x--\r\n`,
  'a log of Inspect, cut short': `${part('form-data; name="job"', 'evaluation')}${part('form-data; name="file"; filename="a.eval"', 'PK\u0003\u0004')}--x--\r\n`,
  nothing: '',
};
const files: HostileCase[] = Object.entries(uploads).flatMap(([name, body]) =>
  ['/api/jobs/documents/cases', '/api/runs', '/api/annotations'].map((where) => ({
    name: `${where}, an upload: ${name}`,
    run: async () =>
      expectSound(
        await server.call(where, { body, headers: { 'content-type': 'multipart/form-data; boundary=x' } }),
        name,
      ),
  })),
);

describeHostile('http', [...lines, ...walks, ...queries, ...contents, ...shapes, ...files], { every: 40 });
