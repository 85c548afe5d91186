import { z } from 'zod';

/**
 * Bytes in base64, plain or as a data: URL. The parts of the URL are bounded, so that no text keeps the matching
 * busy.
 */
const base64Text = /^(?:data:[\w.+/-]{1,100}(?:;[\w=.+-]{1,100}){0,8};base64,)?[A-Za-z0-9+/_-]+={0,2}$/;

export const base64 = z.string().min(1).regex(base64Text, 'must be base64, or a data: URL in base64');

/** The bytes of base64, or of a data: URL. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
}
