import type { Scope } from '../api/index.ts';

/** The key that a request carries: `Authorization: Bearer KEY`, else `X-API-Key: KEY`; null when it carries none. */
export function readPresentedKey(headers: Headers): string | null {
  const bearer = /^Bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer?.trim() ?? (headers.get('x-api-key')?.trim() || null);
}

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** Whether a proxy says that it passes on the request of somebody else. */
export function isForwarded(headers: Headers): boolean {
  return forwarding.some((name) => headers.has(name));
}

/** Who asks. */
export interface Principal {
  /** Null where no key was given, and none is needed. */
  key: { id: string; name: string; reviewer: string | null } | null;
  scopes: ReadonlySet<Scope>;
}

/** Under which name a principal's idempotency keys and rate are kept. */
export function ownerName({ key }: Principal): string {
  return key?.id ?? 'loopback';
}

/** In whose name a principal decides: the reviewer of the key, or the key itself. */
export function reviewerName({ key }: Principal): string | null {
  return key === null ? null : (key.reviewer ?? key.name);
}

export function hasScope({ scopes }: Principal, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has('admin');
}
