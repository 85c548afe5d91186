import { AgonError } from '@agonhq/engine/agon-error';
import type { DeliveryRow } from '@agonhq/ledger';
import type { Outbound } from '../outbound/outbound.ts';
import type { Receiver } from './webhook-registry.ts';
import { createHmac, randomBytes } from 'node:crypto';

const seconds = 1_000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** How long it is waited after an attempt that failed; after the last one there is none. */
export const pausesMs: readonly number[] = [
  5 * seconds,
  30 * seconds,
  2 * minutes,
  10 * minutes,
  1 * hours,
  6 * hours,
  24 * hours,
];

const longestMs = 24 * hours;

/**
 * When a delivery is tried again after so many attempts; null when it failed for good. A receiver may ask for more
 * patience than ours, up to a day.
 */
export function planNextAttempt(
  attempts: number,
  {
    retryAfter,
    pauses = pausesMs,
    now = Date.now(),
    random = Math.random,
  }: { retryAfter: string | null; pauses?: readonly number[]; now?: number; random?: () => number },
): Date | null {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  // Not all at once when a receiver comes back: up to a fifth sooner or later.
  const jittered = pause * (0.8 + 0.4 * random());
  return new Date(now + Math.max(jittered, Math.min(readRetryAfter(retryAfter, now), longestMs)));
}

/** `Retry-After` in seconds or as a date; 0 when it is neither. */
function readRetryAfter(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  if (/^\s*\d{1,9}\s*$/.test(retryAfter)) return Number(retryAfter) * seconds;
  const until = Date.parse(retryAfter);
  return Number.isNaN(until) ? 0 : Math.max(0, until - now);
}

/** What came of sending a delivery once. */
export interface AttemptOutcome {
  delivered: boolean;
  /** Null when nobody answered. */
  status: number | null;
  error: string | null;
  retryAfter: string | null;
}

/** Sends a delivery once. Throws with the signal only. */
export async function attemptDelivery(
  { id, payload }: Pick<DeliveryRow, 'id' | 'payload'>,
  { url, secret, trusted }: Receiver,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const body = JSON.stringify(payload);
  try {
    const headers = { 'content-type': 'application/json', ...signDelivery(secret, { id, body, at: new Date() }) };
    const { status, retryAfter } = await outbound.postWebhook(url, { body, headers, trusted, signal });
    const delivered = status >= 200 && status < 300;
    return { delivered, status, error: delivered ? null : `It answered with ${status}.`, retryAfter };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { delivered: false, status: null, error: error.message, retryAfter: null };
  }
}

/* As Standard Webhooks say (https://www.standardwebhooks.com): its libraries verify what we send. */

export function createSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** What a receiver tells by that a delivery is ours, whole and fresh. */
export function signDelivery(
  secret: string,
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', decodeSecret(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** The bytes behind `whsec_…`; a secret of any other form is its own key. */
function decodeSecret(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
