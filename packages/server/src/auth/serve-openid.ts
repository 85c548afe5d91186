import type { Context, Hono } from 'hono';
import { AgonError } from '@agonhq/engine/agon-error';
import { errorCode, type LogLine } from '../log.ts';
import { endedSignInCookie, openIdPath, type OpenId } from './openid.ts';
import type { Person } from './people.ts';
import type { AuditLog, AuditedOperation } from '../audit/audit-log.ts';
import { writeSessionCookie, type Sessions } from './sessions.ts';

/** What the server notes about a request. */
export interface AppVariables {
  requestId: string;
  operation: string;
  /** What is noted in the audit log; null for nothing. */
  audited: Omit<AuditedOperation, 'status' | 'request'> | null;
}

interface SignInParts {
  openId: OpenId;
  /** Where somebody signs in: the installation's own, or those of their team. */
  findPlace(
    person: Person,
  ): Promise<{ sessions: Pick<Sessions, 'signInPerson' | 'identify'>; audit: Pick<AuditLog, 'note'> }>;
  audit: Pick<AuditLog, 'note'>;
  isSecure(request: Request): boolean;
  log(line: LogLine): void;
}

/**
 * The two addresses that a browser visits to sign in through the provider: there, and back. What goes wrong is told by
 * the console, at whose door the browser ends up in any case.
 */
export function serveOpenId(
  app: Hono<{ Variables: AppVariables }>,
  { openId, findPlace, audit, isSecure, log }: SignInParts,
): void {
  const siteOf = (request: Request) => `${isSecure(request) ? 'https' : 'http'}://${new URL(request.url).host}`;

  app.get(openIdPath, (c) =>
    answer(c, async () => {
      const { location, cookie } = await openId.begin(siteOf(c.req.raw));
      return redirect(location, [cookie]);
    }),
  );
  app.get(`${openIdPath}/callback`, (c) =>
    answer(c, async () => {
      const { pathname, search } = new URL(c.req.url);
      const url = new URL(`${siteOf(c.req.raw)}${pathname}${search}`);
      const person = await openId.finish(url, c.req.header('cookie') ?? null);
      const place = await findPlace(person);
      const token = place.sessions.signInPerson(person);
      place.audit.note({
        principal: await place.sessions.identify(token),
        operation: 'session.openid',
        target: null,
        what: { roles: person.roles },
        status: 303,
        request: c.get('requestId'),
      });
      const session = writeSessionCookie(token, { secure: isSecure(c.req.raw) });
      return redirect('/', [session, endedSignInCookie]);
    }),
  );

  async function answer(c: Context<{ Variables: AppVariables }>, work: () => Promise<Response>): Promise<Response> {
    c.set('operation', 'sign-in');
    try {
      return await work();
    } catch (error) {
      if (!AgonError.is(error)) throw error;
      log({ level: 'warn', event: 'sign-in', code: errorCode(error), error: error.message });
      if (error.code === 'sign-in-refused')
        audit.note({
          principal: null,
          operation: 'session.openid',
          target: null,
          what: { code: error.code },
          status: 403,
          request: c.get('requestId'),
        });
      const told = new URLSearchParams({ 'sign-in': error.code });
      return redirect(`/?${told.toString()}`, [endedSignInCookie]);
    }
  }
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}
