import { createHmac, randomBytes } from 'node:crypto';

/* As Standard Webhooks say (https://www.standardwebhooks.com): its libraries verify what we send. */

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** What a receiver tells by that a delivery is ours, whole and fresh. */
export function signedHeaders(
  secret: string,
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

/** The bytes behind `whsec_…`; a secret of any other form is its own key. */
function keyOf(secret: string): Buffer {
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret, 'utf8') : Buffer.from(encoded, 'base64');
}
