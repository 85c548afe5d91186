import type { IncomingMessage } from 'node:http';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ServerSettings } from '@agonhq/core/settings';
import { createConcurrencyLimit } from '@agonhq/engine/concurrency-limit';
import { sendRequest, type SendRequest, fetchFailed, fetchImage, type FetchedImage } from './fetch-image.ts';
import {
  createResolver,
  pinAddresses,
  resolvePublicAddresses,
  type Resolve,
  readUntrustedUrl,
} from './public-address.ts';

/** How the server reaches out: only where it is allowed to, and never to a private address on somebody else's word. */
export interface Outbound {
  /** The bytes of an image that a request names by its URL. Refused unless `server.fetch.images` allows it. */
  fetchImage(url: string, signal: AbortSignal): Promise<FetchedImage>;
  /** Throws when webhooks may not be made by request, or not to this URL. */
  assertWebhook(url: string): Promise<void>;
  /**
   * Posts to a webhook; `trusted` when it stands in the configuration file. No redirect is followed, and what is
   * answered is not kept.
   */
  postWebhook(
    url: string,
    options: { body: string; headers: Record<string, string>; trusted: boolean; signal: AbortSignal },
  ): Promise<PostAnswer>;
}

export interface PostAnswer {
  status: number;
  /** As the receiver wrote it. */
  retryAfter: string | null;
}

/** For tests only: nothing that can be set leads here. */
export interface OutboundParts {
  resolve?: Resolve;
  exchange?: SendRequest;
  imageMs?: number;
  postMs?: number;
}

/** Images fetched at once: each is held in memory. */
const imagesAtOnce = 16;
const mostHeardBytes = 16_384;

export function openOutbound(
  { fetch: allowed = {} }: Pick<ServerSettings, 'fetch'>,
  parts: OutboundParts = {},
): Outbound {
  const { imageMs = 15_000, postMs = 10_000 } = parts;
  const reach = { resolve: parts.resolve ?? createResolver(), exchange: parts.exchange ?? sendRequest };
  const places = createConcurrencyLimit({ concurrency: imagesAtOnce, queue: Infinity });

  async function webhookAddresses(words: string, signal: AbortSignal) {
    if (!allowed.webhooks)
      throw new AgonError(
        'fetch-not-allowed',
        'This server does not send webhooks to URLs that a request names.',
        'Set server.fetch.webhooks (AGON_FETCH_WEBHOOKS=1), or write the webhook into the configuration file: ' +
          'server.webhooks.',
      );
    const url = readUntrustedUrl(words, { protocols: ['https:'] });
    const addresses = await resolvePublicAddresses(url, reach.resolve, signal);
    if (addresses.length === 0)
      throw new AgonError(
        'fetch-failed',
        'The host of the webhook has no address.',
        'Check its name, or try again once name servers know it.',
      );
    return { url, lookup: pinAddresses(addresses) };
  }

  return {
    async fetchImage(words, signal) {
      if (!allowed.images)
        throw new AgonError(
          'fetch-not-allowed',
          'This server does not fetch images by their URL.',
          'Send the image itself in base64, or set server.fetch.images (AGON_FETCH_IMAGES=1).',
        );
      const leave = await places.enter(signal);
      try {
        return await runWithin(imageMs, signal, (both) => fetchImage(words, both, reach), fetchFailed);
      } finally {
        leave();
      }
    },

    async assertWebhook(words) {
      await runWithin(postMs, null, (both) => webhookAddresses(words, both), webhookFailed);
    },

    postWebhook: (words, { body, headers, trusted, signal }) =>
      runWithin(
        postMs,
        signal,
        async (both) => {
          const where = trusted ? { url: new URL(words) } : await webhookAddresses(words, both);
          const { url, ...how } = where;
          const answer = await reach.exchange(url, { ...how, method: 'POST', headers, body, signal: both });
          discardBody(answer);
          return { status: answer.statusCode!, retryAfter: answer.headers['retry-after'] ?? null };
        },
        webhookFailed,
      ),
  };
}

/** A receiver may end its answer in peace, if it is short; nobody reads it. */
function discardBody(answer: IncomingMessage): void {
  let bytes = 0;
  answer.on('error', () => undefined);
  answer.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes > mostHeardBytes) answer.destroy();
  });
}

/**
 * Ends the work when its time is up, or with the caller; what goes wrong on the way is told by `fail` without a word
 * of whom we met.
 */
async function runWithin<Result>(
  ms: number,
  signal: AbortSignal | null,
  work: (signal: AbortSignal) => Promise<Result>,
  fail: (why: string, cause: unknown) => AgonError,
): Promise<Result> {
  const timeUp = AbortSignal.timeout(ms);
  try {
    return await work(signal ? AbortSignal.any([signal, timeUp]) : timeUp);
  } catch (error) {
    signal?.throwIfAborted();
    if (timeUp.aborted) throw fail(`it took longer than ${ms / 1000} s`, error);
    if (AgonError.is(error)) throw error;
    throw fail(explainFailure(error), error);
  }
}

function explainFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ECONNREFUSED') return 'the connection was refused';
  if (/^(?:ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'its host has no address';
  if (/CERT|TLS|SSL|SIGNED|ALTNAME/.test(code)) return 'its certificate is not trusted';
  return 'the connection was lost';
}

function webhookFailed(why: string, cause: unknown): AgonError {
  return new AgonError(
    'fetch-failed',
    `The webhook cannot be reached: ${why}.`,
    'Check that its receiver is running.',
    {
      cause,
    },
  );
}
