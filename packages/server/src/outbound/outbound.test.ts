import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { version } from '@agonhq/engine/version';
import { sendRequest, type SendRequest } from './fetch-image.ts';
import { openOutbound, type OutboundParts } from './outbound.ts';
import { pinAddresses, type Address, type Resolve } from './public-address.ts';

const never = new AbortController().signal;
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const publicly: Address = { address: '93.184.215.14', family: 4 };
const open: (() => Promise<void>)[] = [];
afterEach(async () => void (await Promise.all(open.splice(0).map((close) => close()))));

async function host(listener: RequestListener): Promise<{ port: number; asked: IncomingMessage[] }> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    listener(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { port: (server.address() as AddressInfo).port, asked };
}

/** The public internet: every name is at a public address, and whoever connects there meets a host of ours. */
function internet(port: number, names: Record<string, readonly Address[]> = {}): OutboundParts & { met: string[] } {
  const met: string[] = [];
  const connect: SendRequest = (url, sent) => {
    sent.lookup!(url.hostname, { all: true }, (_, found) =>
      met.push(`${url.href} at ${(found as Address[]).map(({ address }) => address).join(' ')}`),
    );
    const { lookup: _, ...rest } = sent;
    return sendRequest(new URL(`http://127.0.0.1:${port}${url.pathname}${url.search}`), {
      ...rest,
      headers: { ...sent.headers, host: url.host },
    });
  };
  return { met, resolve: async (name) => names[name] ?? [publicly], exchange: connect };
}

const nobodyIsAsked: OutboundParts = {
  resolve: () => Promise.reject(new Error('a name server was asked')),
  exchange: () => Promise.reject(new Error('a connection was made')),
};

const image = (
  response: ServerResponse,
  { status = 200, ...headers }: { status?: number } & Record<string, string | number> = {},
) => response.writeHead(status, { 'content-type': 'image/png', ...headers });

describe('an image by its URL', () => {
  test('is not fetched unless the server allows it, and nobody is asked', async () => {
    for (const settings of [{}, { fetch: {} }, { fetch: { images: false } }, { fetch: { webhooks: true } }]) {
      await expect(
        openOutbound(settings, nobodyIsAsked).fetchImage('https://example.com/a.png', never),
      ).rejects.toMatchObject({
        code: 'fetch-not-allowed',
        hint: expect.stringMatching(/server\.fetch\.images .*AGON_FETCH_IMAGES/),
      });
    }
  });

  test('is fetched from the address that was checked, with nothing of ours but a name', async () => {
    const { port, asked } = await host((_, response) =>
      image(response, { 'content-type': 'Image/PNG; charset=x' }).end(png),
    );
    const parts = internet(port);
    expect(
      await openOutbound({ fetch: { images: true } }, parts).fetchImage('https://EXAMPLE.com./a.png?b=1#c', never),
    ).toEqual({ bytes: new Uint8Array(png), mediaType: 'image/png' });
    expect(parts.met).toEqual(['https://example.com/a.png?b=1#c at 93.184.215.14']);
    expect(asked[0]!.headers).toEqual({ 'user-agent': `agon/${version}`, host: 'example.com', connection: 'close' });
  });

  test.each([
    'http://localhost/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://localhost../',
    'http://a.localhost/',
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f.1/',
    'http://2130706433/',
    'http://017700000001/',
    'http://0/',
    'http://0.0.0.0/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
    'http://ｌｏｃａｌｈｏｓｔ/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[0:0:0:0:0:ffff:7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[fe80::1]/',
    'http://[fd00:ec2::254]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://metadata.google.internal/',
    'http://metadata/',
    'http://printer.local/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.31.0.1/',
    'http://100.64.0.1/',
    'http://224.0.0.1/',
    String.raw`http:\\127.0.0.1\\`,
    'http:127.0.0.1',
  ])('is never fetched from here: %s', async (url) => {
    await expect(openOutbound({ fetch: { images: true } }, nobodyIsAsked).fetchImage(url, never)).rejects.toMatchObject(
      {
        code: 'private-address',
      },
    );
  });

  test.each([
    'http://user@example.com/',
    'http://user:secret@example.com/',
    'http://example.com@127.0.0.1/',
    'https://example.com%40127.0.0.1/',
    'https://example.com:8080/',
    'http://example.com:22/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:image/png;base64,AA',
    'javascript:alert(1)',
    'gopher://example.com/',
    'http://',
    '/etc/passwd',
    '',
    'http://[fe80::1%25eth0]/',
    'http://exa mple.com/',
  ])('is not fetched by such a URL: %j', async (url) => {
    const error = await openOutbound({ fetch: { images: true } }, nobodyIsAsked)
      .fetchImage(url, never)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'bad-url' });
    expect(String(error)).not.toContain('secret');
  });

  test('is never fetched by a name of which any address is private', async () => {
    const names: Record<string, readonly Address[]> = {
      'inside.example.com': [publicly, { address: '10.0.0.8', family: 4 }],
      'six.example.com': [{ address: '::ffff:10.0.0.8', family: 6 }],
      'xn--bcher-kva.example.com': [{ address: '127.0.0.1', family: 4 }],
    };
    const parts = { ...nobodyIsAsked, resolve: async (name: string) => names[name] ?? [publicly] };
    for (const name of ['inside.example.com', 'six.example.com', 'bücher.example.com']) {
      const error = await openOutbound({ fetch: { images: true } }, parts)
        .fetchImage(`https://${name}/`, never)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'private-address' });
      expect(String(error)).not.toMatch(/10\.0\.0\.8|127/);
    }
  });

  test('is fetched where the name pointed when it was checked, even if the name has changed since', async () => {
    const { port } = await host((_, response) => image(response).end(png));
    const resolve = vi
      .fn<Resolve>()
      .mockResolvedValueOnce([publicly])
      .mockResolvedValue([{ address: '127.0.0.1', family: 4 }]);
    const parts = { ...internet(port), resolve };
    const outbound = openOutbound({ fetch: { images: true } }, parts);
    await outbound.fetchImage('https://rebinding.example.com/', never);
    expect(parts.met).toEqual(['https://rebinding.example.com/ at 93.184.215.14']);
    expect(resolve).toHaveBeenCalledOnce();
    await expect(outbound.fetchImage('https://rebinding.example.com/', never)).rejects.toMatchObject({
      code: 'private-address',
    });
  });

  test('is fetched through three redirects, each of them checked', async () => {
    const { port } = await host((request, response) => {
      const next = { '/1': 'https://other.example.com/2', '/2': '/3', '/3': '//third.example.com/4' }[request.url!];
      if (next) response.writeHead(302, { location: next }).end();
      else image(response).end(png);
    });
    const parts = internet(port);
    await openOutbound({ fetch: { images: true } }, parts).fetchImage('http://example.com/1', never);
    expect(parts.met.map((each) => each.split(' ')[0])).toEqual([
      'http://example.com/1',
      'https://other.example.com/2',
      'https://other.example.com/3',
      'https://third.example.com/4',
    ]);
  });

  test.each([
    ['http://169.254.169.254/latest/', 'private-address'],
    ['http://localhost:4100/', 'bad-url'],
    ['http://localhost/', 'private-address'],
    ['https://inside.example.com/', 'private-address'],
    ['file:///etc/passwd', 'bad-url'],
    ['https://user:secret@example.com/', 'bad-url'],
    ['/again', 'fetch-failed'],
    ['http://[', 'fetch-failed'],
  ])('is not fetched through a redirect to %s', async (location, code) => {
    const { port } = await host((_, response) => response.writeHead(302, { location }).end());
    await expect(
      openOutbound(
        { fetch: { images: true } },
        internet(port, { 'inside.example.com': [{ address: '10.0.0.8', family: 4 }] }),
      ).fetchImage('http://example.com/', never),
    ).rejects.toMatchObject({ code });
  });

  test('is not fetched through a redirect from https to http', async () => {
    const { port } = await host((request, response) =>
      request.url === '/'
        ? response.writeHead(301, { location: 'http://example.com/plain' }).end()
        : image(response).end(png),
    );
    await expect(
      openOutbound({ fetch: { images: true } }, internet(port)).fetchImage('https://example.com/', never),
    ).rejects.toMatchObject({ code: 'bad-url' });
    expect(
      (await openOutbound({ fetch: { images: true } }, internet(port)).fetchImage('http://example.com/', never))
        .mediaType,
    ).toBe('image/png');
  });

  const endless = (response: ServerResponse) => {
    const part = Buffer.alloc(2 ** 20);
    const more = () => {
      while (response.write(part));
    };
    response.on('drain', more);
    more();
  };
  test.each<[string, RequestListener]>([
    ['it was answered with 404', (_, response) => image(response, { status: 404 }).end('a word of what is inside')],
    ['it was answered with 206', (_, response) => image(response, { status: 206 }).end(png)],
    [
      'what is there is no image',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('a word of what is inside'),
    ],
    ['what is there is no image', (_, response) => response.writeHead(200).end(png)],
    ['it is compressed on the way', (_, response) => image(response, { 'content-encoding': 'gzip' }).end(png)],
    ['it is larger than 20 MB', (_, response) => image(response, { 'content-length': 30 * 2 ** 20 }).flushHeaders()],
    ['it is larger than 20 MB', (_, response) => endless(image(response))],
    ['it took longer than 1 s', (_, response) => image(response).write(png)],
    ['it took longer than 1 s', () => undefined],
    ['the connection was lost', (request) => request.socket.destroy()],
    [
      'the connection was lost',
      (_, response) => image(response, { 'content-length': 1_000 }).write(png, () => response.destroy()),
    ],
  ])('is not fetched when %s', async (why, listener) => {
    const { port } = await host(listener);
    const error = await openOutbound(
      { fetch: { images: true } },
      { ...internet(port), ...(why.includes('longer than') ? { imageMs: 1_000 } : {}) },
    )
      .fetchImage('https://example.com/', never)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'fetch-failed', message: `The image cannot be fetched: ${why}.` });
    expect(JSON.stringify(error)).not.toMatch(/word of what|127\.0|184/);
  });

  test('is not waited for when its host has no address, or the client goes away', async () => {
    await expect(
      openOutbound({ fetch: { images: true } }, { ...nobodyIsAsked, resolve: async () => [] }).fetchImage(
        'https://example.com/',
        never,
      ),
    ).rejects.toMatchObject({ code: 'fetch-failed' });
    const { port, asked } = await host(() => undefined);
    const client = new AbortController();
    const fetched = openOutbound({ fetch: { images: true } }, internet(port)).fetchImage(
      'https://example.com/',
      client.signal,
    );
    await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 10_000 });
    client.abort(new Error('gone'));
    await expect(fetched).rejects.toThrow('gone');
    await vi.waitFor(() => expect(asked[0]!.destroyed).toBe(true), { timeout: 10_000 });
  });
});

test('a connection is made to the address that was pinned, whatever the name says', async () => {
  const { port, asked } = await host((_, response) => response.writeHead(204).end());
  const answer = await sendRequest(new URL(`http://nowhere.invalid:${port}/`), {
    method: 'GET',
    lookup: pinAddresses([{ address: '127.0.0.1', family: 4 }]),
    signal: never,
  });
  expect(answer.statusCode).toBe(204);
  expect(asked[0]!.headers.host).toBe(`nowhere.invalid:${port}`);
});

test('no URL that the checks let through leads to a private address, however it is spelled', async () => {
  const spelled = fc.oneof(
    fc.webUrl({
      authoritySettings: { withIPv4: true, withIPv4Extended: true, withIPv6: true, withPort: true, withUserInfo: true },
    }),
    fc
      .tuple(
        fc.constantFrom('http://', 'https://', 'HTTP:\\\\', 'http:/'),
        fc.constantFrom('', 'example.com@', 'example.com\\@'),
        fc.ipV4Extended(),
        fc.constantFrom('', '.', ':80', '/..//', '#@example.com', '?@example.com'),
      )
      .map((parts) => parts.join('')),
  );
  await fc.assert(
    fc.asyncProperty(spelled, async (url) => {
      const met: string[] = [];
      const stop: SendRequest = (to, { lookup }) => {
        lookup!(to.hostname, { all: true }, (_, found) =>
          met.push(...(found as Address[]).map(({ address }) => address)),
        );
        return Promise.reject(new Error('far enough'));
      };
      await openOutbound({ fetch: { images: true } }, { resolve: async () => [publicly], exchange: stop })
        .fetchImage(url, never)
        .catch(() => undefined);
      expect(
        met.filter((address) => /^(?:0|10|127|169\.254|192\.168|22[4-9]|2[345]\d)\.|^::|^f[cdef]/.test(address)),
      ).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

describe('a webhook that a request names', () => {
  const allowed = { fetch: { webhooks: true } };
  const send = { body: '{}', headers: {}, trusted: false, signal: never };

  test('is neither made nor told unless the server allows it', async () => {
    const outbound = openOutbound({ fetch: { images: true } }, nobodyIsAsked);
    const refusal = { code: 'fetch-not-allowed', hint: expect.stringContaining('server.fetch.webhooks') };
    await expect(outbound.assertWebhook('https://example.com/')).rejects.toMatchObject(refusal);
    await expect(outbound.postWebhook('https://example.com/', send)).rejects.toMatchObject(refusal);
  });

  test('must be https, at the usual port, at a public address', async () => {
    const parts = {
      ...nobodyIsAsked,
      resolve: async (name: string): Promise<Address[]> =>
        name === 'inside.example.com'
          ? [{ address: '10.0.0.8', family: 4 }]
          : name === 'nowhere.example.com'
            ? []
            : [publicly],
    };
    const outbound = openOutbound(allowed, parts);
    await outbound.assertWebhook('https://example.com/hook');
    for (const [url, code] of [
      ['http://example.com/', 'bad-url'],
      ['https://example.com:8443/', 'bad-url'],
      ['https://a:b@example.com/', 'bad-url'],
      ['https://127.0.0.1/', 'private-address'],
      ['https://localhost./', 'private-address'],
      ['https://inside.example.com/', 'private-address'],
      ['https://nowhere.example.com/', 'fetch-failed'],
    ] as const) {
      await expect(outbound.assertWebhook(url), url).rejects.toMatchObject({ code });
      await expect(outbound.postWebhook(url, send), url).rejects.toMatchObject({ code });
    }
  });

  test('is told at the address that was checked, and no redirect is followed', async () => {
    const { port, asked } = await host((_, response) =>
      response
        .writeHead(307, { location: 'https://example.com/elsewhere', 'retry-after': '7' })
        .end('x'.repeat(100_000)),
    );
    const parts = internet(port);
    expect(await openOutbound(allowed, parts).postWebhook('https://example.com/hook', send)).toEqual({
      status: 307,
      retryAfter: '7',
    });
    expect(parts.met).toEqual(['https://example.com/hook at 93.184.215.14']);
    expect(asked).toHaveLength(1);
  });
});

describe('a webhook of the configuration file', () => {
  const send = { body: '{"a":"ä"}', headers: { 'content-type': 'application/json' }, trusted: true, signal: never };

  test('may be private, and plain http, whatever requests may do', async () => {
    const { port, asked } = await host((request, response) =>
      request.resume().on('end', () => response.writeHead(202).end()),
    );
    expect(await openOutbound({}).postWebhook(`http://127.0.0.1:${port}/hook?a=1`, send)).toEqual({
      status: 202,
      retryAfter: null,
    });
    expect(asked[0]).toMatchObject({
      method: 'POST',
      url: '/hook?a=1',
      headers: { 'content-type': 'application/json', 'content-length': '10', 'user-agent': `agon/${version}` },
    });
  });

  test('that cannot be reached, or does not answer in time, is said without its address', async () => {
    const { port } = await host(() => undefined);
    await expect(
      openOutbound({}, { postMs: 100 }).postWebhook(`http://127.0.0.1:${port}/`, send),
    ).rejects.toMatchObject({
      code: 'fetch-failed',
      message: 'The webhook cannot be reached: it took longer than 0.1 s.',
    });
    await Promise.all(open.splice(0).map((close) => close()));
    await expect(openOutbound({}).postWebhook(`http://127.0.0.1:${port}/`, send)).rejects.toMatchObject({
      code: 'fetch-failed',
      message: 'The webhook cannot be reached: the connection was refused.',
    });
  });
});
