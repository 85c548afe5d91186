import { isTeamName } from '@agonhq/ledger';
import { looksLikeOurs, readKey } from '../auth/key-text.ts';
import { readPresentedKey } from '../auth/principal.ts';
import { readSessionCookie, readSessionTeam } from '../auth/sessions.ts';

/** The header by which somebody without a key says for which team they ask: on this machine, where no key is needed. */
export const teamHeader = 'agon-team';

/**
 * Whose request it is, as its key says, or else its session, or else the header. It only chooses who is asked: whether
 * the key is right is for the team to say. Null for the installation's own.
 */
export function findTeamOf({ headers }: Request): { team: string; by: 'key' | 'session' | 'header' } | null {
  const key = readPresentedKey(headers);
  if (key !== null && looksLikeOurs(key)) return choose('key', readKey(key)?.team ?? null);
  const token = key === null ? readSessionCookie(headers) : null;
  if (token !== null) return choose('session', readSessionTeam(token));
  return choose('header', headers.get(teamHeader));
}

function choose<By extends 'key' | 'session' | 'header'>(by: By, team: string | null): { team: string; by: By } | null {
  return team === null || (by !== 'header' && !isTeamName(team)) ? null : { team, by };
}
