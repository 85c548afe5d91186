import { AgonError } from '@agonhq/engine/agon-error';
import { wrongKey, type Keys } from './keys.ts';
import type { People, Person } from './people.ts';
import type { Principal } from './principal.ts';
import { createRateLimit } from './rate-limit.ts';
import { createSharedRateLimit } from './shared-rate-limit.ts';
import { openEndedSessions } from './ended-sessions.ts';
import type { Ledger } from '@agonhq/ledger';
import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { isSameText } from './key-text.ts';

/* The cookie of the console: scripts cannot read it, and other sites cannot have it sent. */

const name = 'agon_session';
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

/** How long somebody who signed in stays signed in. */
export const sessionSeconds = 12 * 3600;

export function writeSessionCookie(token: string, { secure }: { secure: boolean }): string {
  return `${name}=${token}; Max-Age=${sessionSeconds}; ${attributes}${secure ? '; Secure' : ''}`;
}

/** Takes the cookie away. */
export const expiredSessionCookie = `${name}=; Max-Age=0; ${attributes}`;

/** The session that a request carries; null when it carries none. */
export function readSessionCookie(headers: Headers): string | null {
  return /(?:^|;)[ \t]*agon_session=([^;\s]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? null;
}

/*
 * A session as a browser keeps it:
 * `<id of the key, or who it is>.<its end in seconds>.<what tells it from others>.<signature>`, with `<team>_` before
 * it where it is a session of a team.
 * The server keeps nothing of it while it lasts.
 */

const teamPattern = /^([a-z][a-z0-9-]{0,23})_/;

/** Whose session it claims to be; null for the installation's own. */
export function readSessionTeam(token: string): string | null {
  return teamPattern.exec(token)?.[1] ?? null;
}

interface SessionToken {
  key: string;
  /** In milliseconds. */
  endsAt: number;
}

const pattern = /^([\w-]{1,3000})\.(\d{1,12})\.([\w-]{12})\.([\w-]{43})$/;

/**
 * Writes and reads sessions by the secret of the installation, which other things are signed with, too: the label
 * keeps them apart.
 */
interface SessionSigner {
  write(token: SessionToken, secretHash: string): string;
  /** Null for what cannot be one of our sessions. Whether it was signed is to be asked with what is kept of its key. */
  read(text: string): (SessionToken & { isSignedFor(secretHash: string): boolean }) | null;
}

export function createSessionSigner(installationSecret: string, team: string | null = null): SessionSigner {
  // Teams may share the secret of a machine: what is signed for one opens nothing of another.
  const label = team === null ? 'agon: sessions' : `agon: sessions of ${team}`;
  const secret = Buffer.from(hkdfSync('sha256', installationSecret, '', label, 32));
  const prefix = team === null ? '' : `${team}_`;
  /**
   * The hash of the key's own secret is signed along: whoever knows the installation's secret alone opens no session
   * of others.
   */
  const signed = (said: string, secretHash: string) =>
    createHmac('sha256', secret).update(`${said}.${secretHash}`).digest('base64url');

  return {
    write({ key, endsAt }, secretHash) {
      const said = `${key}.${Math.floor(endsAt / 1000)}.${randomBytes(9).toString('base64url')}`;
      return `${prefix}${said}.${signed(said, secretHash)}`;
    },
    read(text) {
      if (readSessionTeam(text) !== team) return null;
      const [, key, seconds, own, signature] = pattern.exec(text.slice(prefix.length)) ?? [];
      if (key === undefined || seconds === undefined || own === undefined || signature === undefined) return null;
      return {
        key,
        endsAt: Number(seconds) * 1000,
        isSignedFor: (secretHash) => isSameText(signature, signed(`${key}.${seconds}.${own}`, secretHash)),
      };
    },
  };
}

/**
 * Who works in a browser, and signed in with a key. A session is as good as its key, and opens what the key opens
 * now.
 */
export interface Sessions {
  /** Signs in; throws (`wrong-api-key`, or `rate-limited` when too many wrong ones were tried). */
  signIn(key: string): Promise<{ principal: Principal; token: string }>;
  /** Signs in somebody whom the OpenID provider knows. */
  signInPerson(person: Person): string;
  /** Who signed in; null when the session is over, or its key is not taken any more. */
  identify(token: string): Promise<Principal | null>;
  /** Signs out: whoever kept a copy of the session opens nothing with it any more. */
  signOut(token: string): Promise<void>;
}

export interface SessionsOptions {
  keys: Pick<Keys, 'identify' | 'findHolder'>;
  /** Who signs in without a key; null where everybody needs one. */
  people?: People | null;
  /** Of the installation: servers that share it know each other's sessions. */
  secret: string;
  team?: string | null;
  /** What servers share of limits; absent where each counts for itself. */
  rates?: Ledger['rates'] | null;
  /** Where those who signed out are kept; absent where this server alone has to know. */
  ended?: Ledger['sessions'] | null;
  /** For tests: what time it is. */
  now?: () => number;
}

/** Wrong keys a minute, of all who try. */
const mostWrong = 10;
export function openSessions({
  keys,
  people = null,
  secret,
  team = null,
  rates,
  ended,
  now = Date.now,
}: SessionsOptions): Sessions {
  const signer = createSessionSigner(secret, team);
  const countWrong = rates
    ? createSharedRateLimit(mostWrong, rates, { makeError: tooManyWrong, label: 'wrong keys of ' })
    : createRateLimit(mostWrong, { now, makeError: tooManyWrong });
  const over = openEndedSessions(ended, now);

  async function identify(token: string): Promise<Principal | null> {
    const session = signer.read(token);
    if (!session || session.endsAt <= now() || (await over.has(token))) return null;
    const holder = people?.findHolder(session.key) ?? (await keys.findHolder(session.key));
    return holder && session.isSignedFor(holder.secretHash) ? holder.principal : null;
  }

  return {
    identify: identify,
    async signIn(key) {
      const principal = await keys.identify(key).catch(async (error: unknown) => {
        // Only the wrong ones are counted and refused: nobody keeps others out by guessing.
        if (AgonError.is(error) && error.code === 'wrong-api-key') await countWrong('everybody');
        throw error;
      });
      const { id } = principal.key!;
      const holder = await keys.findHolder(id);
      if (!holder) throw wrongKey();
      return { principal, token: signer.write({ key: id, endsAt: now() + sessionSeconds * 1000 }, holder.secretHash) };
    },
    signInPerson(person) {
      const key = people!.writeId(person);
      return signer.write({ key, endsAt: now() + sessionSeconds * 1000 }, people!.findHolder(key)!.secretHash);
    },
    async signOut(token) {
      // Only what was signed is kept: nobody fills the memory with sessions that there are none of.
      if (!(await identify(token))) return;
      await over.add(token, signer.read(token)!.endsAt);
    },
  };
}

function tooManyWrong(perMinute: number, retryAfter: number): AgonError {
  return new AgonError(
    'rate-limited',
    `More than ${perMinute} wrong keys were tried within a minute.`,
    `Try again in ${retryAfter} s, as Retry-After says.`,
  );
}
