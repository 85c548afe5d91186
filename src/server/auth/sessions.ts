import { AgonError } from '../../errors.ts';
import { wrongKey, type Keys } from './keys.ts';
import type { Principal } from './principal.ts';
import { rateLimit } from './rate-limit.ts';
import { sessionSeconds } from './session-cookie.ts';
import { sessionSigner } from './session-token.ts';

/**
 * Who works in a browser, and signed in with a key. A session is as good as its key, and opens what the key opens
 * now.
 */
export interface Sessions {
  /** Signs in; throws (`wrong-api-key`, or `rate-limited` when too many wrong ones were tried). */
  begin(key: string): Promise<{ principal: Principal; token: string }>;
  /** Who signed in; null when the session is over, or its key is not taken any more. */
  principalOf(token: string): Promise<Principal | null>;
  /** Signs out: whoever kept a copy of the session opens nothing with it on this server. */
  end(token: string): Promise<void>;
}

export interface SessionsOptions {
  keys: Pick<Keys, 'principalOf' | 'holderOf'>;
  /** Of the installation: servers that share it know each other's sessions. */
  secret: string;
  /** For tests: what time it is. */
  now?: () => number;
}

/** Wrong keys a minute, of all who try. */
const mostWrong = 10;
/**
 * Beyond this many, the sessions that would have ended by themselves are swept out, and then those that were ended
 * first.
 */
const mostEnded = 10_000;

export function openSessions({ keys, secret, now = Date.now }: SessionsOptions): Sessions {
  const signer = sessionSigner(secret);
  const countWrong = rateLimit(mostWrong, { now, told: tooManyWrong });
  /** Sessions that were signed out of, and when they would have ended. */
  const ended = new Map<string, number>();

  async function principalOf(token: string): Promise<Principal | null> {
    const session = signer.read(token);
    if (!session || session.endsAt <= now() || ended.has(token)) return null;
    const holder = await keys.holderOf(session.key);
    return holder && session.isSignedFor(holder.secretHash) ? holder.principal : null;
  }

  function sweep(): void {
    for (const [token, endsAt] of ended) if (endsAt <= now()) ended.delete(token);
    for (const token of [...ended.keys()].slice(0, -mostEnded)) ended.delete(token);
  }

  return {
    principalOf,
    async begin(key) {
      const principal = await keys.principalOf(key).catch((error: unknown) => {
        // Only the wrong ones are counted and refused: nobody keeps others out by guessing.
        if (AgonError.is(error) && error.code === 'wrong-api-key') countWrong('everybody');
        throw error;
      });
      const { id } = principal.key!;
      const holder = await keys.holderOf(id);
      if (!holder) throw wrongKey();
      return { principal, token: signer.write({ key: id, endsAt: now() + sessionSeconds * 1000 }, holder.secretHash) };
    },
    async end(token) {
      // Only what was signed is kept: nobody fills the memory with sessions that there are none of.
      if (!(await principalOf(token))) return;
      ended.set(token, signer.read(token)!.endsAt);
      if (ended.size > mostEnded) sweep();
    },
  };
}

function tooManyWrong(perMinute: number, retryAfter: number): AgonError {
  return new AgonError(
    'rate-limited',
    `More than ${perMinute} wrong keys were tried in a minute.`,
    `Come again in ${retryAfter} s, as Retry-After says.`,
  );
}
