import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import { openOutbound } from '@agonhq/server/outbound/outbound';
import { sendRequest, type SendRequest } from '@agonhq/server/outbound/fetch-image';
import { createResolver, type Address, type Resolve } from '@agonhq/server/outbound/public-address';
import { runningServer, type ServerUnderTest } from '../support/running-server.ts';
import { describeHostile, type HostileCase } from './corpus.ts';
import { expectRefusal } from './refusal.ts';
import { startNameServer, type NameServer } from './name-server.ts';

/*
 * Ways into the network of whoever runs the server: by an address in any spelling, by a redirect, by a name that
 * changes. Each is refused with its code, and no connection is made.
 */

const targets = [
  '127.0.0.1',
  '0.0.0.0',
  '10.0.0.8',
  '172.16.5.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
] as const;

const parts = (address: string) => address.split('.').map(Number);
const whole = (address: string) => parts(address).reduce((sum, part) => sum * 256 + part, 0);
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');
const pairs = (address: string) => `${hex(Math.floor(whole(address) / 65_536), 4)}:${hex(whole(address) % 65_536, 4)}`;

/** How an address may be written in a URL. */
const spellings: Record<string, (address: string) => string> = {
  plain: (address) => address,
  'one decimal number': (address) => String(whole(address)),
  'one octal number': (address) => `0${whole(address).toString(8)}`,
  'one hexadecimal number': (address) => `0x${hex(whole(address), 8)}`,
  'octal parts': (address) =>
    parts(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  'hexadecimal parts': (address) =>
    parts(address)
      .map((part) => `0x${part.toString(16)}`)
      .join('.'),
  'three parts': (address) => {
    const [one, two, three, four] = parts(address);
    return `${one}.${two}.${three! * 256 + four!}`;
  },
  'a dot at its end': (address) => `${address}.`,
  'wide digits': (address) => address.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  'other dots': (address) => address.replaceAll('.', '\u3002'),
  'percent signs': (address) => address.replace(/\d/g, (digit) => `%3${digit}`),
  'IPv6, mapped': (address) => `[::ffff:${address}]`,
  'IPv6, mapped, in hexadecimal': (address) => `[0:0:0:0:0:FFFF:${pairs(address)}]`,
  'IPv6, compatible': (address) => `[::${pairs(address)}]`,
  NAT64: (address) => `[64:ff9b::${pairs(address)}]`,
  '6to4': (address) => `[2002:${pairs(address)}::1]`,
};

/** Others that are nobody's business, and the code of their refusal. */
const others: Record<string, string> = {
  'https://localhost/': 'private-address',
  'https://LOCALHOST./': 'private-address',
  'https://a.b.localhost/': 'private-address',
  'https://printer.local/': 'private-address',
  'https://metadata.google.internal/': 'private-address',
  'https://intranet/': 'private-address',
  'https://[::1]/': 'private-address',
  'https://[::]/': 'private-address',
  'https://[fe80::1]/': 'private-address',
  'https://[fd00:ec2::254]/': 'private-address',
  'https://[ff02::1]/': 'private-address',
  'https://[2001:db8::1]/': 'private-address',
  'https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/': 'private-address',
  'https://168.63.129.16/': 'private-address',
  'https://user@example.com/': 'bad-url',
  'https://user:secret@example.com/': 'bad-url',
  'https://example.com@127.0.0.1/': 'bad-url',
  'https://example.com:8443/': 'bad-url',
  'https://example.com:22/': 'bad-url',
  'https://example.com:0/': 'bad-url',
  'ftp://example.com/': 'bad-url',
  'file:///etc/passwd': 'bad-url',
  'gopher://example.com/': 'bad-url',
  'javascript:alert(1)': 'bad-url',
  'data:text/html,x': 'bad-url',
  'unix:/var/run/docker.sock': 'bad-url',
  'https://[fe80::1%25eth0]/': 'bad-url',
  'https://exa mple.com/': 'bad-url',
  'https://': 'bad-url',
  '//127.0.0.1/': 'bad-url',
  '\u0000': 'bad-url',
};

const never = new AbortController().signal;
const publicly: Address = { address: '93.184.215.14', family: 4 };
const allowed = { fetch: { images: true, webhooks: true } };
const png = Buffer.from('89504e470d0a1a0a', 'hex');

/** Somebody on the public internet who sends everybody on, by `?to=`. */
let host: Server;
let names: NameServer;
let server: ServerUnderTest;
beforeAll(async () => {
  host = createServer((request, response) => {
    const to = new URL(request.url!, 'http://x').searchParams.get('to');
    if (to === null) response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    else response.writeHead(302, { location: to }).end();
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  names = await startNameServer((name, time) => {
    const [first = '', second] = name
      .split('.')[0]!
      .split('-')
      .map((label) => bytesOf(label));
    const known = (bytes: number[] | undefined) =>
      bytes === undefined ? {} : bytes.length === 4 ? { four: [bytes] } : { six: [bytes] };
    if (name.startsWith('both')) return { four: [[93, 184, 215, 14], bytesOf(name.split('.')[0]!.slice(5))] };
    return known(time > 1 && second ? second : (first as number[]));
  });
  server = await runningServer({ server: allowed });
}, 60_000);
afterAll(async () => {
  host.closeAllConnections();
  host.close();
  await names[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const bytesOf = (label: string): number[] => [...Buffer.from(label.replace(/^both/, ''), 'hex')];
const labelOf = (address: string) => Buffer.from(parts(address)).toString('hex');

/** Whoever is connected to, meets the host above; every connection is noted with the addresses it was pinned to. */
function reach(resolve: Resolve = async () => [publicly]) {
  const met: string[] = [];
  const exchange: SendRequest = (url, { lookup, ...sent }) => {
    lookup!(url.hostname, { all: true }, (_, found) =>
      met.push((found as Address[]).map(({ address }) => address).join(' ')),
    );
    const { port } = host.address() as AddressInfo;
    return sendRequest(new URL(`http://127.0.0.1:${port}${url.pathname}${url.search}`), sent);
  };
  return { met, outbound: openOutbound(allowed, { resolve, exchange, imageMs: 5_000 }) };
}

async function refused(work: Promise<unknown>, codes: readonly string[], hidden: string): Promise<void> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  const { code, message } = expectRefusal(error);
  expect(codes).toContain(code);
  expect(message).not.toContain(hidden);
}

const privately = ['private-address', 'bad-url'];

/** By which way a URL comes to be asked for, and how many connections may have been made by then. */
const ways: Record<string, (url: string, codes: readonly string[], hidden: string) => Promise<void>> = {
  image: async (url, codes, hidden) => {
    const { met, outbound } = reach();
    await refused(outbound.fetchImage(url, never), codes, hidden);
    expect(met).toEqual([]);
  },
  webhook: async (url, codes, hidden) => {
    const { met, outbound } = reach();
    await refused(outbound.assertWebhook(url), codes, hidden);
    const post = { body: '{}', headers: {}, trusted: false, signal: never };
    await refused(outbound.postWebhook(url, post), codes, hidden);
    expect(met).toEqual([]);
  },
  redirect: async (url, codes, hidden) => {
    const { met, outbound } = reach();
    const first = `https://example.com/?to=${encodeURIComponent(url)}`;
    await refused(outbound.fetchImage(first, never), [...codes, 'fetch-failed'], hidden);
    // One that cannot be parsed is taken for a path of the same host, which sends nobody anywhere else.
    expect(met.every((address) => address === publicly.address)).toBe(true);
  },
};

const cases: HostileCase[] = [
  ...Object.keys(ways).flatMap((way) => [
    ...targets.flatMap((target) =>
      Object.entries(spellings)
        // A header of a redirect holds no other letters.
        .filter(([, spell]) => way !== 'redirect' || /^[!-~]+$/.test(spell(target)))
        .map(([spelling, spell]) => ({
          name: `${way}: ${target}, ${spelling}`,
          run: () => ways[way]!(`https://${spell(target)}/latest`, privately, target),
        })),
    ),
    ...Object.entries(others)
      .filter(([url]) => way !== 'redirect' || /^https:\/\/[!-~]+$/.test(url))
      .map(([url, code]) => ({ name: `${way}: ${JSON.stringify(url)}`, run: () => ways[way]!(url, [code], 'secret') })),
  ]),
  ...targets.flatMap((target): HostileCase[] => [
    {
      name: `a name that leads to ${target}`,
      run: async () => {
        const { met, outbound } = reach(createResolver([names.address]));
        await refused(outbound.fetchImage(`https://${labelOf(target)}.example.com/`, never), privately, target);
        expect(met).toEqual([]);
      },
    },
    {
      name: `a name with a public address beside ${target}`,
      run: async () => {
        const { met, outbound } = reach(createResolver([names.address]));
        await refused(outbound.fetchImage(`https://both-${labelOf(target)}.example.com/`, never), privately, target);
        expect(met).toEqual([]);
      },
    },
    {
      name: `a name that was public and is ${target} when it is connected to`,
      run: async () => {
        const { met, outbound } = reach(createResolver([names.address]));
        const url = `https://5db8d70e-${labelOf(target)}.example.com/`;
        await outbound.fetchImage(url, never);
        expect(met).toEqual([publicly.address]);
        await refused(outbound.fetchImage(url, never), privately, target);
        expect(met).toHaveLength(1);
      },
    },
    {
      name: `the server, asked for an image at ${target}`,
      run: async () => {
        const response = await server.call('/api/jobs/moderation/cases', {
          json: { images: [{ url: `http://${target}/a.png` }] },
        });
        const { code, detail } = (await response.json()) as { code: string; detail: string };
        expect([response.status, code]).toEqual([403, 'private-address']);
        expect(detail).not.toContain(target);
      },
    },
    {
      name: `the server, asked for a webhook at ${target}`,
      run: async () => {
        const response = await server.call('/api/webhooks', {
          json: { url: `https://${target}/hook`, events: ['case-decided'] },
        });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toContain(server.home);
      },
    },
  ]),
];

describeHostile('outbound', cases, { every: 25 });
