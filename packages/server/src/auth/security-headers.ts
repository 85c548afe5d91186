/** What nobody needs who is sent data: no scripts, no styles, no frames around it. */
const denyAll = ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"];

/** What every answer carries. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': denyAll.join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), ' +
    'payment=(), usb=()',
  'cache-control': 'no-store',
};

const ownPolicy = new RegExp(
  String.raw`^<!doctype html>\s*<html[^<>]*>\s*<head>\s*<meta charset="utf-8"\s*/?>\s*` +
    String.raw`<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"<>]*)"\s*/?>`,
  'i',
);

/**
 * The policy of a page of ours: what it allows itself (its own styles, its own script by hash), and nothing else. It
 * is read where the page begins, before anything untrusted in it; a page that says nothing there is allowed nothing.
 */
export function readPagePolicy(page: string): string {
  const own =
    ownPolicy
      .exec(page)?.[1]!
      .split(';')
      .map((part) => part.trim())
      .filter(Boolean) ?? [];
  const named = new Set(own.map(directiveName));
  return [...own, ...denyAll.filter((part) => !named.has(directiveName(part)))].join('; ');
}

const directiveName = (directive: string) => directive.split(' ')[0];
