import { scopes } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import { sha256 } from '../../hash.ts';
import type { Principal } from './principal.ts';
import { isSameText } from './same-text.ts';

const fewestCharacters = 20;

/** The key that AGON_API_KEY holds, with every scope: who presents it. Null where it is not set. */
export function environmentKey(environment: Record<string, string | undefined>): ((presented: string) => Principal | null) | null {
  const key = environment['AGON_API_KEY']?.trim();
  if (!key) return null;
  if (key.length < fewestCharacters) throw new AgonError('short-api-key', `AGON_API_KEY has fewer than ${fewestCharacters} characters.`, 'Set one that nobody guesses: openssl rand -base64 32.');
  const kept = sha256(key);
  return (presented) => (isSameText(sha256(presented), kept) ? { key: { id: 'environment', name: 'AGON_API_KEY', reviewer: null }, scopes: new Set(scopes) } : null);
}
