import { createHash } from 'node:crypto';

/** JSON with sorted keys and no undefined members: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/** `sha256:…` of bytes, or of a text in UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(data).digest('hex')}`;
}

/** `sha256:…` of any JSON value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
