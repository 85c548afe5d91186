import { AgonError } from '../../errors.ts';
import { wrongKey, type Keys } from './keys.ts';
import type { Principal } from './principal.ts';
import { rateLimit } from './rate-limit.ts';
import { sessionSeconds } from './session-cookie.ts';
import { sessionSigner } from './session-token.ts';

/** Who works in a browser, and signed in with a key. A session is as good as its key, and opens what the key opens now. */
export interface Sessions {
  /** Signs in; throws (`wrong-api-key`, or `rate-limited` when too many wrong ones were tried). */
  begin(key: string): Promise<{ principal: Principal; token: string }>;
  /** Who signed in; null when the session is over, or its key is not taken any more. */
  principalOf(token: string): Promise<Principal | null>;
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

export function openSessions({ keys, secret, now = Date.now }: SessionsOptions): Sessions {
  const signer = sessionSigner(secret);
  const countWrong = rateLimit(mostWrong, { now, told: tooManyWrong });

  return {
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
    async principalOf(token) {
      const session = signer.read(token);
      if (!session || session.endsAt <= now()) return null;
      const holder = await keys.holderOf(session.key);
      return holder && session.isSignedFor(holder.secretHash) ? holder.principal : null;
    },
  };
}

function tooManyWrong(perMinute: number, retryAfter: number): AgonError {
  return new AgonError('rate-limited', `More than ${perMinute} wrong keys were tried in a minute.`, `Come again in ${retryAfter} s, as Retry-After says.`);
}
