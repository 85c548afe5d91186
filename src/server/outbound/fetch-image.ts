import http, { type IncomingMessage } from 'node:http';
import { AgonError } from '../../errors.ts';
import { pinned, publicAddresses, type Resolve, untrustedUrl } from './public-address.ts';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { version } from '../../version.ts';

interface Sent {
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Undefined for the system's own. */
  lookup?: LookupFunction;
  signal: AbortSignal;
}

/** Makes a connection and sends one request. */
export type Exchange = (url: URL, sent: Sent) => Promise<IncomingMessage>;

/**
 * A connection of its own, straight to the host: neither shared nor through a proxy, so that what was checked is what
 * is reached.
 */
export const exchange: Exchange = (url, { method, headers = {}, body, lookup, signal }) =>
  new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method,
      signal,
      agent: false,
      headers: {
        'user-agent': `agon/${version}`,
        ...headers,
        ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      },
      ...(lookup ? { lookup } : {}),
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.once('close', () => reject(new Error('closed without an answer')));
    request.end(body);
  });

const mostBytes = 20 * 2 ** 20;
const mostRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

export interface FetchedImage {
  bytes: Uint8Array<ArrayBuffer>;
  mediaType: string;
}

/** Fetches an image from a public address. Every redirect is checked like the first URL. */
export async function fetchImage(
  words: string,
  signal: AbortSignal,
  { resolve, exchange }: { resolve: Resolve; exchange: Exchange },
): Promise<FetchedImage> {
  let url = untrustedUrl(words, { protocols: ['https:', 'http:'] });
  for (let followed = 0; ; followed += 1) {
    const addresses = await publicAddresses(url, resolve, signal);
    if (addresses.length === 0) throw failed('its host has no address');
    const answer = await exchange(url, { method: 'GET', lookup: pinned(addresses), signal });
    try {
      if (!redirects.has(answer.statusCode!)) return await imageIn(answer);
      if (followed === mostRedirects) throw failed(`it is redirected more than ${mostRedirects} times`);
      url = redirected(url, answer.headers.location);
    } finally {
      answer.destroy();
    }
  }
}

function redirected(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from.href)) throw failed('it is redirected to nowhere');
  return untrustedUrl(new URL(location, from).href, {
    protocols: from.protocol === 'https:' ? ['https:'] : ['https:', 'http:'],
  });
}

async function imageIn(answer: IncomingMessage): Promise<FetchedImage> {
  const { statusCode, headers } = answer;
  if (statusCode !== 200) throw failed(`it was answered with ${statusCode}`);
  const mediaType = headers['content-type']?.split(';')[0]!.trim().toLowerCase() ?? '';
  if (!/^image\/[\w.+-]{1,60}$/.test(mediaType)) throw failed('what is there is no image');
  if (!['', 'identity'].includes(headers['content-encoding']?.trim().toLowerCase() ?? ''))
    throw failed('it is compressed on the way');
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLarge();
    parts.push(part);
  }
  if (!answer.complete) throw failed('it ended too early');
  return { bytes: new Uint8Array(Buffer.concat(parts)), mediaType };
}

function tooLarge(): AgonError {
  return failed(`it is larger than ${mostBytes / 2 ** 20} MB`);
}

export function failed(why: string, cause?: unknown): AgonError {
  return new AgonError(
    'fetch-failed',
    `The image cannot be fetched: ${why}.`,
    'Look at the URL, or send the image itself in base64.',
    { cause },
  );
}
