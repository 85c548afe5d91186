/* The cookie of the console: scripts cannot read it, and other sites cannot have it sent. */

const name = 'agon_session';
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

/** How long somebody who signed in stays signed in. */
export const sessionSeconds = 12 * 3600;

export function sessionCookie(token: string, { secure }: { secure: boolean }): string {
  return `${name}=${token}; Max-Age=${sessionSeconds}; ${attributes}${secure ? '; Secure' : ''}`;
}

/** Takes the cookie away. */
export const endedCookie = `${name}=; Max-Age=0; ${attributes}`;

/** The session that a request carries; null when it carries none. */
export function presentedSession(headers: Headers): string | null {
  return /(?:^|;)[ \t]*agon_session=([^;\s]+)/.exec(headers.get('cookie') ?? '')?.[1] ?? null;
}
