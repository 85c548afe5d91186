import type { Scope } from '../../api/index.ts';

/** Who asks. */
export interface Principal {
  /** Null where no key was given, and none is needed. */
  key: { id: string; name: string; reviewer: string | null } | null;
  scopes: ReadonlySet<Scope>;
}

/** Under which name a principal's idempotency keys and rate are kept. */
export function ownerOf({ key }: Principal): string {
  return key?.id ?? 'loopback';
}

/** In whose name a principal decides: the reviewer of the key, or the key itself. */
export function reviewerOf({ key }: Principal): string | null {
  return key === null ? null : (key.reviewer ?? key.name);
}

export function mayDo({ scopes }: Principal, scope: Scope): boolean {
  return scopes.has(scope) || scopes.has('admin');
}
