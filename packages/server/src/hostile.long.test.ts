import { readdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from './api/index.ts';
import { allOperations, ask, expectProblem, typeOf } from '@agonhq/test/support/contract/ask.ts';
import { open, rawHttp } from '@agonhq/test/support/contract/raw-http.ts';
import { zipBomb } from '@agonhq/test/support/contract/zip-bomb.ts';
import { isWhole } from '@agonhq/test/support/slow.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';

/* Input that is meant to do harm: it is refused in a few words, and the server goes on. */

let server: ServerUnderTest;
let known: string;
beforeAll(async () => {
  server = await runningServer({ server: { bodyBytes: 200_000, uploadBytes: 5_000_000 } });
  known = (
    (await (await server.call('/api/jobs/moderation/cases', { json: { text: 'Good morning' } })).json()) as {
      id: string;
    }
  ).id;
}, 120_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const host = () => `Host: ${new URL(server.url).host}\r\n`;

const countStreams = async () =>
  Number(/^agon_streams (\d+)$/m.exec(await (await server.call('/metrics')).text())?.[1]);

async function stillServes(): Promise<void> {
  expect((await server.call('/healthz')).status).toBe(200);
}

describe('bodies', () => {
  test('one that says it is too large is refused before it is read', async () => {
    const { text } = await rawHttp(
      server.url,
      `POST /api/jobs/moderation/cases HTTP/1.1\r\n${host()}Content-Type: application/json\r\nContent-Length: ` +
        '10000000000\r\n\r\n{',
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text).toContain('body-too-large');
  });

  test('one that does not say how large it is is read up to the limit', async () => {
    async function* endless() {
      for (let index = 0; index < 2_000; index += 1) yield new TextEncoder().encode('x'.repeat(1_000));
    }
    const response = await fetch(`${server.url}/api/jobs/moderation/cases`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ReadableStream.from(endless()),
      duplex: 'half',
    }).catch(() => null);
    // The connection may be closed while the client still writes.
    if (response)
      expect(await expectProblem(response, 'endless')).toMatchObject({ status: 413, code: 'body-too-large' });
    await stillServes();
  });

  test('one that is packed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20), { level: 9 });
    for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, gzip']) {
      expect(
        (
          await expectProblem(
            await server.call('/api/jobs/moderation/cases', {
              body: bomb,
              headers: { 'content-type': 'application/json', 'content-encoding': encoding },
            }),
            encoding,
          )
        ).status,
      ).toBeLessThan(416);
    }
  });

  test('a data: URL that never comes to its bytes is refused, however long it is', async () => {
    await using roomy = await runningServer();
    const data = `data:a${';a'.repeat(13_000_000)}!`;
    expect(
      await expectProblem(
        await roomy.call('/api/jobs/moderation/cases', { json: { images: [{ data }] } }),
        'a long data: URL',
      ),
    ).toMatchObject({ status: 400, code: 'bad-request' });
  });

  test('one that is not UTF-8 is refused', async () => {
    const response = await server.call('/api/jobs/moderation/cases', {
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
      headers: { 'content-type': 'application/json' },
    });
    expect(await expectProblem(response, 'not UTF-8')).toMatchObject({ code: 'bad-json' });
  });

  test('texts of odd letters are judged', async () => {
    for (const text of [
      '\u0000',
      '\\ud800 \ud800',
      '\u202e\u2066kill',
      'a'.repeat(100_000),
      '🙂'.repeat(1_000),
      '<script>alert(1)</script>',
      '{{7*7}} ${7*7}',
      '\r\nSet-Cookie: a=b',
    ]) {
      const response = await server.call('/api/jobs/moderation/cases', { json: { text } });
      if (response.status !== 200)
        expect(await expectProblem(response, JSON.stringify(text.slice(0, 30)))).toMatchObject({ status: 422 });
      else expect(response.headers.get('set-cookie')).toBeNull();
    }
  });
});

describe('addresses', () => {
  test('a path leads nowhere but into the API', async () => {
    for (const path of [
      '/../../etc/passwd',
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/api/cases/..%2f..%2f',
      '/api/cases/%00',
      '/api/cases/%',
      '/api/cases/%zz',
      '/api/cases/%c0%af',
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
      '/api/cases/\u0080',
    ]) {
      const { text, statuses } = await rawHttp(
        server.url,
        Buffer.from(`GET ${path} HTTP/1.1\r\n${host()}Connection: close\r\n\r\n`, 'latin1'),
      );
      expect(statuses.length, path).toBe(1);
      expect([400, 403, 404], `${path}: ${text.slice(0, 400)}`).toContain(statuses[0]);
    }
  });

  test('an address on another host is not gone to', async () => {
    const { statuses } = await rawHttp(
      server.url,
      `GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
    );
    expect([400, 403, 404]).toContain(statuses[0]);
  });

  test('an unknown or odd method is refused, and says what is answered', async () => {
    const response = await server.call('/api/jobs/moderation/cases', { method: 'DELETE' });
    expect(response.headers.get('allow')).toBe('POST');
    expect(await expectProblem(response, 'DELETE')).toMatchObject({ status: 405 });
    for (const method of ['TRACE', 'CONNECT', 'BREW', 'get', 'PROPFIND', 'QUERY']) {
      const { text, statuses } = await rawHttp(
        server.url,
        `${method} /api/cases HTTP/1.1\r\n${host()}X-Secret: not-to-be-echoed\r\nConnection: close\r\n\r\n`,
      );
      expect(
        statuses.every((status) => status >= 400 && status < 500),
        `${method}: ${text.slice(0, 300)}`,
      ).toBe(true);
      expect(text).not.toContain('not-to-be-echoed');
    }
  });

  test('HEAD is GET without its body, and opens no stream', async () => {
    const response = await server.call('/api/cases', { method: 'HEAD' });
    expect([200, 405]).toContain(response.status);
    expect(await response.text()).toBe('');
    const stream = await server.call('/api/events', { method: 'HEAD' });
    await stream.text();
    await expect.poll(countStreams).toBe(0);
  });
});

describe('headers', () => {
  test('two requests are not smuggled as one', async () => {
    const json = '{"text":"a"}';
    for (const headers of [
      `Content-Length: ${json.length}\r\nContent-Length: ${json.length + 5}\r\n`,
      `Content-Length: ${json.length}\r\nTransfer-Encoding: chunked\r\n`,
      'Transfer-Encoding: chunked, identity\r\n',
      'Content-Length: -1\r\n',
      'Content-Length: 1e3\r\n',
      'Content-Length: 12, 12\r\n',
      'Content Length: 12\r\n',
      'X: a\r\n b\r\n',
      ': nothing\r\n',
      'X\u0000: a\r\n',
    ]) {
      const { text, statuses } = await rawHttp(
        server.url,
        `POST /api/jobs/moderation/cases HTTP/1.1\r\n${host()}Content-Type: application/json\r\n${headers}\r\n${json}GET ` +
          `/healthz HTTP/1.1\r\n${host()}\r\n`,
      );
      expect(statuses.length, `${headers}: ${text.slice(0, 300)}`).toBeLessThanOrEqual(1);
      expect(
        statuses.every((status) => status >= 400 && status < 500),
        `${headers}: ${text.slice(0, 300)}`,
      ).toBe(true);
    }
  });

  test('absurd ones are refused', async () => {
    for (const headers of [
      `X-Long: ${'x'.repeat(100_000)}\r\n`,
      Array.from({ length: 5_000 }, (_, index) => `X-${index}: y\r\n`).join(''),
    ]) {
      const { statuses } = await rawHttp(server.url, `GET /healthz HTTP/1.1\r\n${host()}${headers}\r\n`);
      expect(statuses.every((status) => status < 500)).toBe(true);
    }
    const { statuses } = await rawHttp(server.url, 'GET /healthz HTTP/1.1\r\n\r\n');
    expect(statuses).toEqual([400]);
  });

  test('a request id that is none is not taken over', async () => {
    for (const id of ['x'.repeat(101), 'a b', '<script>', 'a\tb'])
      expect((await server.call('/healthz', { headers: { 'x-request-id': id } })).headers.get('x-request-id')).toMatch(
        /^[0-9a-f-]{36}$/,
      );
    expect((await server.call('/healthz', { headers: { 'x-request-id': 'mine-1' } })).headers.get('x-request-id')).toBe(
      'mine-1',
    );
  });

  test('a Last-Event-ID that nobody gave starts from the beginning', async () => {
    const whole = await (await server.call(`/api/cases/${known}/events`)).text();
    for (const id of [
      'garbage',
      '../..',
      'turn-end:',
      'turn-delta:'.padEnd(5_000, 'x'),
      '-1',
      '%00',
      'answer:answer:answer',
    ]) {
      const response = await server.call(`/api/cases/${known}/events`, { headers: { 'last-event-id': id } });
      expect(response.status, id.slice(0, 20)).toBe(200);
      expect(await response.text(), id.slice(0, 20)).toBe(whole);
    }
  });

  test('a key can be used again for the same request only', async () => {
    const headers = { 'idempotency-key': 'hostile-1' };
    const first = await server.call('/api/jobs/moderation/cases', { json: { text: 'Good night' }, headers });
    const again = await server.call('/api/jobs/moderation/cases', { json: { text: 'Good night' }, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await again.json()).toEqual(await first.json());
    expect(
      await expectProblem(
        await server.call('/api/jobs/moderation/cases', { json: { text: 'Good bye' }, headers }),
        'another',
      ),
    ).toMatchObject({ status: 422, code: 'idempotency-mismatch' });
  });
});

test('where the server keeps its cases is told to nobody', async () => {
  for (const place of [
    '/api/cases/mod-none',
    '/api/cases/mod-none/answer',
    '/api/cases/mod-none/report',
    '/api/cases/mod-none/events',
    `/api/cases/mod-none/attachments/sha256:${'0'.repeat(64)}`,
    '/api/runs/run-none',
    '/api/precedents/none',
    '/api/policies/000000000000',
  ]) {
    const response = await server.call(place);
    expect(response.status, place).toBe(404);
    expect(await response.text(), place).not.toContain(server.home);
  }
});

describe('files', () => {
  const upload = (name: string, content: Uint8Array<ArrayBuffer> | string) => {
    const form = new FormData();
    form.append('file', new File([content], name));
    return server.call('/api/jobs/documents/cases', { body: form });
  };

  test('zip bombs are not unpacked', async () => {
    for (const [name, bytes] of [
      ['bomb.xlsx', zipBomb()],
      ['bomb.docx', zipBomb('word/document.xml')],
    ] as const) {
      expect(bytes.length).toBeLessThan(2_000_000);
      const problem = await expectProblem(await upload(name, bytes), name);
      // For one that was unpacked its reader is killed, and says so.
      expect([problem.status, problem.code === 'document-too-large']).toEqual([422, false]);
    }
  });

  test('garbage is refused by its name', async () => {
    for (const [name, content] of [
      ['a.pdf', '%PDF-1.7\n%%EOF'],
      ['b.pdf', Buffer.from(Array.from({ length: 4_000 }, (_, index) => (index * 7919) % 256))],
      ['c.xlsx', 'PK\u0003\u0004garbage'],
      ['d.docx', ''],
      ['e.json', '{'.repeat(50_000)],
      ['f.png', Buffer.from('89504e470d0a1a0a00', 'hex')],
      ['g', '\u0000\u0001'],
    ] as const)
      expect((await expectProblem(await upload(name, content), name)).status, name).toBeGreaterThanOrEqual(400);
  });

  test('a name is only what a file is called', async () => {
    const report = 'Revenue grew to 120 million in 2024 from 100 million in 2023.';
    for (const name of [
      '../../../etc/cron.d/x.md',
      '..\\..\\x.md',
      '/etc/passwd.md',
      'C:\\x.md',
      '.md',
      'a\u0000b.md',
      `${'x'.repeat(300)}.md`,
      '\u202egpj.md',
      'con.md',
      '$(touch x).md',
    ]) {
      const response = await upload(name, report);
      if (response.status !== 200) await expectProblem(response, name);
      else
        for (const document of ((await response.json()) as { documents: { name: string }[] }).documents)
          expect(document.name, name).not.toMatch(/[/\\\u0000]|^\.\./);
    }
  });

  test('more than the limit is refused while it comes', async () => {
    const response = await upload('large.txt', Buffer.alloc(6_000_000, 0x61)).catch(() => null);
    if (response) expect(await expectProblem(response, 'large')).toMatchObject({ status: 413 });
  });

  test('nothing of it is left on disk', async () => {
    const listLeft = async () =>
      (await readdir(`${server.home}/server`, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name);
    await expect.poll(listLeft).toEqual([]);
  });
});

describe('slow clients', () => {
  test('those who drip their headers, or their body, are let go, and others are served meanwhile', async () => {
    // A server of its own: on a machine that is busy for three seconds everybody is a slow client.
    await using impatient = await runningServer({}, { patience: { headersMs: 3_000, requestMs: 6_000 } });
    const host = `Host: ${new URL(impatient.url).host}\r\n`;
    const slow = Array.from({ length: 60 }, (_, index) => {
      const socket = open(impatient.url);
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      socket.write(
        index % 2 === 0
          ? `POST /api/jobs/moderation/cases HTTP/1.1\r\n${host}`
          : `POST /api/jobs/moderation/cases HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
      );
      socket.resume();
      const drip = setInterval(() => socket.write(index % 2 === 0 ? 'X-Slow: y\r\n' : ' '), 300);
      void closed.then(() => clearInterval(drip));
      return { closed, connected: new Promise<void>((resolve) => socket.once('connect', () => resolve())) };
    });
    await Promise.all(slow.map(({ connected }) => connected));
    expect((await fetch(`${impatient.url}/healthz`)).status).toBe(200);
    expect((await impatient.call('/api/jobs/moderation/cases', { json: { text: 'Meanwhile' } })).status).toBe(200);
    // All of them are let go.
    await Promise.all(slow.map(({ closed }) => closed));
  }, 120_000);

  test('one who does not read its events does not fill the memory', async () => {
    const sockets = Array.from({ length: 20 }, () => open(server.url));
    for (const socket of sockets) {
      socket.pause();
      socket.write(`GET /api/events HTTP/1.1\r\n${host()}\r\n`);
    }
    await expect.poll(countStreams).toBe(sockets.length);
    await stillServes();
    for (const socket of sockets) socket.destroy();
    await expect.poll(countStreams).toBe(0);
  });
});

describe('crowds', () => {
  // All of them in npm run test:all.
  const [listeners, held] = isWhole ? [5_000, 1_000] : [500, 200];

  test(`of ${listeners} listeners as many are heard as there is room for, and the others told`, async () => {
    await using crowded = await runningServer({ server: { streams: listeners / 5 } });
    const statuses: string[] = [];
    const sockets = Array.from({ length: listeners }, () => {
      const socket = open(crowded.url);
      socket.once('data', (data) => statuses.push(data.toString('latin1').slice(9, 12)));
      socket.write(`GET /api/events HTTP/1.1\r\nHost: ${new URL(crowded.url).host}\r\n\r\n`);
      return socket;
    });
    await expect.poll(() => statuses.length, { timeout: 60_000 }).toBe(listeners);
    const count = (status: string) => statuses.filter((one) => one === status).length;
    expect([count('200'), count('429')]).toEqual([listeners / 5, (listeners * 4) / 5]);
    expect((await crowded.call('/api/jobs/moderation/cases', { json: { text: 'Meanwhile' } })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    const one = async () => (await crowded.call('/api/events', { signal: AbortSignal.timeout(10_000) })).status;
    await expect.poll(one, { timeout: 60_000 }).toBe(200);
  }, 180_000);

  test(`${held} connections that are held with half a request keep nobody out`, async () => {
    await using patient = await runningServer();
    const half = `POST /api/jobs/moderation/cases HTTP/1.1\r\nHost: ${new URL(patient.url).host}\r\nContent-Length: 9\r\n\r\n{`;
    const sockets = Array.from({ length: held }, () => open(patient.url));
    const connected = sockets.map((socket) => new Promise<void>((resolve) => socket.write(half, () => resolve())));
    await Promise.all(connected);
    for (const text of ['One', 'Two'])
      expect((await patient.call('/api/jobs/moderation/cases', { json: { text } })).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    expect((await patient.call('/healthz')).status).toBe(200);
    expect(patient.log.filter(({ level }) => level === 'error')).toEqual([]);
  }, 180_000);
});

test('a client that goes away in the middle is no failure of the server', async () => {
  for (const path of ['/api/jobs/moderation/cases', '/v1/moderations']) {
    const leave = new AbortController();
    const asked = server.call(path, {
      json:
        path === '/v1/moderations'
          ? { input: ['Going', 'going', 'gone'], model: 'agon-debate' }
          : { text: 'Gone before it is judged' },
      signal: leave.signal,
    });
    await pause(5);
    leave.abort();
    await expect(asked).rejects.toThrow();
  }
  const { closed } = await rawHttp(
    server.url,
    `POST /api/jobs/documents/cases HTTP/1.1\r\n${host()}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ` +
      '1000\r\n\r\n--x\r\n',
    { patienceMs: 200 },
  );
  expect(closed).toBe(false);
  await pause(300);
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});

describe('keys', () => {
  test('no operation is done without a key, with a wrong one, or with one that lacks the scope', async () => {
    await using guarded = await runningServer(
      { server: { auth: 'required', bodyBytes: 100_000 } },
      { environment: { AGON_API_KEY: 'a-key-of-the-environment-that-is-long-enough' } },
    );
    const admin = { authorization: 'Bearer a-key-of-the-environment-that-is-long-enough' };
    const keyWith = async (scope: string) =>
      (
        (await (
          await guarded.call('/api/keys', { json: { name: scope, scopes: [scope] }, headers: admin })
        ).json()) as { key: string }
      ).key;
    const keys = Object.fromEntries(
      await Promise.all(scopes.map(async (scope) => [scope, await keyWith(scope)] as const)),
    );
    for (const operation of allOperations) {
      const given = operation.upload ? { form: new FormData() } : operation.body ? { json: {} } : {};
      const asked = (headers: Record<string, string>) => ask(guarded, operation, { ...given, headers });
      if (operation.scope === null) {
        // Whoever signs in without a key is told so.
        expect((await asked({})).status, operation.id).toBe(operation.body ? 400 : operation.answers.status);
        continue;
      }
      const none = await asked({});
      expect(none.headers.get('www-authenticate'), operation.id).toMatch(/^Bearer/);
      expect(await expectProblem(none, operation.id)).toMatchObject({ status: 401, code: 'no-api-key' });
      for (const authorization of [
        'Bearer wrong',
        'Bearer ',
        'Basic YTpi',
        `Bearer ${'x'.repeat(5_000)}`,
        'Bearer a b',
        `Bearer ${keys['read']}x`,
      ])
        expect(
          (await expectProblem(await asked({ authorization }), `${operation.id} ${authorization.slice(0, 20)}`)).status,
          operation.id,
        ).toBe(401);
      for (const scope of scopes) {
        const allowed = scope === operation.scope || scope === 'admin';
        const response = await asked({ authorization: `Bearer ${keys[scope]}` });
        if (!allowed)
          expect(await expectProblem(response, `${operation.id} with ${scope}`)).toMatchObject({
            status: 403,
            code: 'no-scope',
          });
        else {
          expect([401, 403], `${operation.id} with ${scope}`).not.toContain(response.status);
          await response.body?.cancel();
        }
      }
    }
    const said = JSON.stringify(guarded.log);
    for (const key of Object.values(keys)) expect(said).not.toContain(key);
  }, 60_000);
});

test('after all that, the server still judges', async () => {
  const response = await server.call('/api/jobs/moderation/cases', {
    json: { text: 'I will bring a bomb to the station tomorrow.' },
  });
  expect(((await response.json()) as { verdict: { label: string } }).verdict.label).toBe('unsafe');
  expect(typeOf(response)).toBe('application/json');
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
});
