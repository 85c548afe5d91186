import { randomBytes, hash, timingSafeEqual } from 'node:crypto';

/* A key as people hold it: `agon_` with its id (12 hex digits) and its secret (32 bytes in base64url). */

export interface KeyText {
  id: string;
  secret: string;
}

const keyPattern = /^agon_([0-9a-f]{12})_([\w-]{43})$/;

export function makeKeyText(): KeyText {
  return { id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

export function writeKey({ id, secret }: KeyText): string {
  return `agon_${id}_${secret}`;
}

/** Null for what cannot be one of our keys. */
export function readKey(text: string): KeyText | null {
  const found = keyPattern.exec(text);
  return found ? { id: found[1]!, secret: found[2]! } : null;
}

/** Whether somebody means it as one of our keys, right or wrong. */
export function looksLikeOurs(text: string): boolean {
  return text.startsWith('agon_');
}

/**
 * A text for the log: a key that was put where it does not belong is cut out of it, also where its letters are
 * written as in a URL (`%61gon_…`).
 */
export function redactKeys(text: string): string {
  const plain = text.replace(/%(?:[46][1-9a-f]|[57][0-9a]|3\d|5f|2d)/gi, decodeURIComponent);
  return plain.replace(/agon_[0-9a-f]{12}_[\w-]+/gi, (key) => `${key.slice(0, 17)}_…`);
}

/** Whether two texts are the same, in a time that does not tell where they differ, nor how long either is. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
