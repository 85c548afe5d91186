import { tellRequest } from '../calls/sent-request.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Shorter strings are words, not keys: taking them out would only garble messages. */
const shortestSecret = 6;

export function createRedact(secrets: readonly string[]): Redact {
  // The longest first, so that a key which contains another does not leave its rest behind.
  const known = [...new Set(secrets.filter((secret) => secret.length >= shortestSecret))].toSorted(
    (a, b) => b.length - a.length,
  );
  const forms = known.flatMap((secret) => [
    ...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]),
  ]);
  return (text) => forms.reduce((clean, form) => clean.replaceAll(form, '[redacted]'), text);
}

const secretHeader = /auth|key|token|secret|cookie|password/i;

/** The values of headers that carry credentials, with and without their scheme (`Bearer …`). */
export function findHeaderSecrets(headers: Record<string, string>): string[] {
  return Object.entries(headers)
    .filter(([name]) => secretHeader.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+\s+/, '')]);
}

/** Cleans the bodies of error responses before anyone reads them: a key that a provider echoes goes nowhere. */
export function createRedactingFetch(redact: Redact, fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    tellRequest(input instanceof Request ? input.url : String(input), init);
    const response = await fetch(input, init);
    if (response.ok) return response;
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name);
    const body = redact(await response.text());
    return new Response(body === '' ? null : body, { status, statusText, headers });
  };
}
