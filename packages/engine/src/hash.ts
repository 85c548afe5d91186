import { hash } from 'node:crypto';

/** JSON with sorted keys and no undefined members: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  // A sorted copy, and not a replacer: calling back for every member takes several times as long.
  return JSON.stringify(sortedCopy(value, ''));
}

function sortedCopy(value: unknown, key: string): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((member, index) => sortedCopy(member, String(index)));
  if ('toJSON' in value && typeof value.toJSON === 'function') return sortedCopy(value.toJSON(key), key);
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value).sort()) {
    const member = sortedCopy((value as Record<string, unknown>)[name], name);
    // An assignment would set the prototype.
    if (name === '__proto__') Object.defineProperty(copy, name, { value: member, enumerable: true });
    else copy[name] = member;
  }
  return copy;
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** `sha256:…` of bytes, or of a text in UTF-8. */
export function sha256(data: string | Uint8Array): string {
  return `sha256:${hash('sha256', data, 'hex')}`;
}

/** `sha256:…` of any JSON value, whatever the order of its keys. */
export function hashOf(value: unknown): string {
  return sha256(canonicalJson(value));
}
