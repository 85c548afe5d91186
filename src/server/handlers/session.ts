import { endedCookie, sessionCookie } from '../auth/session-cookie.ts';
import type { GroupOf, Handlers } from '../handler.ts';
import { Reply } from '../reply.ts';
import { selfOf } from '../self-of.ts';

/** Who works in a browser signs in and out. */
export const sessionHandlers: Handlers<GroupOf<'session'>> = {
  async 'session.create'({ body: { key }, secure }, house) {
    const { principal, token } = await house.sessions.begin(key);
    return new Reply(
      { json: await selfOf(principal, house) },
      { headers: { 'set-cookie': sessionCookie(token, { secure }) } },
    );
  },

  async 'session.end'({ session }, house) {
    if (session !== null) await house.sessions.end(session);
    return new Reply({ json: null }, { headers: { 'set-cookie': endedCookie } });
  },
};
