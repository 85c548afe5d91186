import { AgonError } from '../../errors.ts';
import type { DeliveryRow } from '../../ledger/index.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Receiver } from './webhook-registry.ts';
import { signedHeaders } from './signature.ts';

/** What came of sending a delivery once. */
export interface Attempted {
  delivered: boolean;
  /** Null when nobody answered. */
  status: number | null;
  error: string | null;
  retryAfter: string | null;
}

/** Sends a delivery once. Throws with the signal only. */
export async function attempt(
  { id, payload }: Pick<DeliveryRow, 'id' | 'payload'>,
  { url, secret, trusted }: Receiver,
  outbound: Outbound,
  signal: AbortSignal,
): Promise<Attempted> {
  const body = JSON.stringify(payload);
  try {
    const headers = { 'content-type': 'application/json', ...signedHeaders(secret, { id, body, at: new Date() }) };
    const { status, retryAfter } = await outbound.post(url, { body, headers, trusted, signal });
    const delivered = status >= 200 && status < 300;
    return { delivered, status, error: delivered ? null : `It answered with ${status}.`, retryAfter };
  } catch (error) {
    if (!AgonError.is(error)) throw error;
    return { delivered: false, status: null, error: error.message, retryAfter: null };
  }
}
