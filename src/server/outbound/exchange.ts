import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { version } from '../../version.ts';

export interface Sent {
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
