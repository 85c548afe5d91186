import { sha256 } from '@noble/hashes/sha2.js';

const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Stands for `hash` of node:crypto in the page: the checks of an answer hash as they go, and WebCrypto makes everybody
 * wait. Signature, and the hashes that were signed, are WebCrypto's.
 */
export function hash(_algorithm: 'sha256', data: string | Uint8Array, _encoding: 'hex'): string {
  return toHex(sha256(typeof data === 'string' ? new TextEncoder().encode(data) : data));
}
