import http, { type IncomingMessage } from 'node:http';
import { AgonError } from '@agonhq/engine/agon-error';
import { pinAddresses, resolvePublicAddresses, type Resolve, readUntrustedUrl } from './public-address.ts';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { version } from '@agonhq/engine/version';

interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  /** Undefined for the system's own. */
  lookup?: LookupFunction;
  signal: AbortSignal;
}

/** Makes a connection and sends one request. */
export type SendRequest = (url: URL, sent: OutgoingRequest) => Promise<IncomingMessage>;

/**
 * A connection of its own, straight to the host: neither shared nor through a proxy, so that what was checked is what
 * is reached.
 */
export const sendRequest: SendRequest = (url, { method, headers = {}, body, lookup, signal }) =>
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
  { resolve, exchange }: { resolve: Resolve; exchange: SendRequest },
): Promise<FetchedImage> {
  let url = readUntrustedUrl(words, { protocols: ['https:', 'http:'] });
  for (let followed = 0; ; followed += 1) {
    const addresses = await resolvePublicAddresses(url, resolve, signal);
    if (addresses.length === 0) throw fetchFailed('its host has no address');
    const answer = await exchange(url, { method: 'GET', lookup: pinAddresses(addresses), signal });
    try {
      if (!redirects.has(answer.statusCode!)) return await readImage(answer);
      if (followed === mostRedirects) throw fetchFailed(`it is redirected more than ${mostRedirects} times`);
      url = followRedirect(url, answer.headers.location);
    } finally {
      answer.destroy();
    }
  }
}

function followRedirect(from: URL, location: string | undefined): URL {
  if (location === undefined || !URL.canParse(location, from.href)) throw fetchFailed('it is redirected to nowhere');
  return readUntrustedUrl(new URL(location, from).href, {
    protocols: from.protocol === 'https:' ? ['https:'] : ['https:', 'http:'],
  });
}

async function readImage(answer: IncomingMessage): Promise<FetchedImage> {
  const { statusCode, headers } = answer;
  if (statusCode !== 200) throw fetchFailed(`it was answered with ${statusCode}`);
  const mediaType = headers['content-type']?.split(';')[0]!.trim().toLowerCase() ?? '';
  if (!/^image\/[\w.+-]{1,60}$/.test(mediaType)) throw fetchFailed('what is there is no image');
  if (!['', 'identity'].includes(headers['content-encoding']?.trim().toLowerCase() ?? ''))
    throw fetchFailed('it is compressed on the way');
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > mostBytes) throw tooLarge();
    parts.push(part);
  }
  if (!answer.complete) throw fetchFailed('it ended too early');
  return { bytes: new Uint8Array(Buffer.concat(parts)), mediaType };
}

function tooLarge(): AgonError {
  return fetchFailed(`it is larger than ${mostBytes / 2 ** 20} MB`);
}

export function fetchFailed(why: string, cause?: unknown): AgonError {
  return new AgonError(
    'fetch-failed',
    `The image cannot be fetched: ${why}.`,
    'Check the URL, or send the image itself in base64.',
    { cause },
  );
}
