import { randomBytes, hash, timingSafeEqual } from 'node:crypto';

/*
 * A key as people hold it: `agon_`, its team where it has one, its id (12 hex digits), its secret (32 bytes in
 * base64url).
 */

export interface KeyText {
  /** Null for the installation's own. */
  team: string | null;
  id: string;
  secret: string;
}

const keyPattern = /^agon_(?:([a-z][a-z0-9-]{0,23})_)?([0-9a-f]{12})_([\w-]{43})$/;

export function makeKeyText(team: string | null = null): KeyText {
  return { team, id: randomBytes(6).toString('hex'), secret: randomBytes(32).toString('base64url') };
}

export function writeKey({ team, id, secret }: KeyText): string {
  return ['agon', ...(team === null ? [] : [team]), id, secret].join('_');
}

/** Null for what cannot be one of our keys. */
export function readKey(text: string): KeyText | null {
  const found = keyPattern.exec(text);
  return found ? { team: found[1] ?? null, id: found[2]!, secret: found[3]! } : null;
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
  return plain.replace(/(agon_(?:[a-z][a-z0-9-]*_)?[0-9a-f]{12})_[\w-]+/gi, '$1_…');
}

/** Whether two texts are the same, in a time that does not tell where they differ, nor how long either is. */
export function isSameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
