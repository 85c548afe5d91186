import { scopes } from '../../api/index.ts';
import { AgonError } from '../../errors.ts';
import { sha256 } from '../../hash.ts';
import type { KeyHolder } from './keys.ts';
import { isSameText } from './same-text.ts';

const fewestCharacters = 20;

/** The key that AGON_API_KEY holds, with every scope. */
export interface EnvironmentKey {
  holder: KeyHolder;
  isPresented(key: string): boolean;
}

/** Null where it is not set. */
export function environmentKey(environment: Record<string, string | undefined>): EnvironmentKey | null {
  const key = environment['AGON_API_KEY']?.trim();
  if (!key) return null;
  if (key.length < fewestCharacters)
    throw new AgonError(
      'short-api-key',
      `AGON_API_KEY has fewer than ${fewestCharacters} characters.`,
      'Set one that nobody guesses: openssl rand -base64 32.',
    );
  const secretHash = sha256(key);
  return {
    holder: {
      principal: { key: { id: environmentKeyId, name: 'AGON_API_KEY', reviewer: null }, scopes: new Set(scopes) },
      secretHash,
    },
    isPresented: (presented) => isSameText(sha256(presented), secretHash),
  };
}

export const environmentKeyId = 'environment';
