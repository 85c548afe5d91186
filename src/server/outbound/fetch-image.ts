import type { IncomingMessage } from 'node:http';
import { AgonError } from '../../errors.ts';
import type { Exchange } from './exchange.ts';
import { pinned, publicAddresses, type Resolve } from './reach.ts';
import { untrustedUrl } from './untrusted-url.ts';

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
