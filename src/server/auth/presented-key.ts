/** The key that a request carries: `Authorization: Bearer KEY`, else `X-API-Key: KEY`; null when it carries none. */
export function presentedKey(headers: Headers): string | null {
  const bearer = /^Bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return bearer?.trim() ?? (headers.get('x-api-key')?.trim() || null);
}

const forwarding = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded'];

/** Whether a proxy says that it passes on the request of somebody else. */
export function isForwarded(headers: Headers): boolean {
  return forwarding.some((name) => headers.has(name));
}
