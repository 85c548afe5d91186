import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  delivery: { id: string; type: string; created_at: string; data: Record<string, unknown> };
  at: number;
}

/** What a receiver answers: a status, one with headers, or nothing ever. */
export type Answer = number | { status: number; headers: Record<string, string> } | 'nothing';

/** Somebody who is told: a real HTTP server on this machine. */
export interface WebhookReceiver extends AsyncDisposable {
  url: string;
  port: number;
  received: Received[];
  close(): Promise<void>;
}

/** Answers the first delivery with the first answer, and so on; those after the last with the last. */
export async function webhookReceiver(answers: readonly Answer[] = [204], port = 0): Promise<WebhookReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = answers[Math.min(received.length, answers.length - 1)]!;
      received.push({
        headers: request.headers,
        body,
        delivery: JSON.parse(body) as Received['delivery'],
        at: Date.now(),
      });
      if (answer === 'nothing') return;
      if (typeof answer === 'number') response.writeHead(answer).end('a word of the receiver');
      else response.writeHead(answer.status, answer.headers).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  const at = (server.address() as AddressInfo).port;
  return { url: `http://127.0.0.1:${at}/hook`, port: at, received, close, [Symbol.asyncDispose]: close };
}

/** As Standard Webhooks say it is done, written from their specification and not from our code. */
export function isSigned({ headers, body }: Pick<Received, 'headers' | 'body'>, secret: string): boolean {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
  const expected = createHmac('sha256', key)
    .update([headers['webhook-id'], headers['webhook-timestamp'], body].join('.'))
    .digest();
  const age = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']));
  return (
    age < 300 &&
    String(headers['webhook-signature'])
      .split(' ')
      .some((each) => {
        const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
        return each.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected);
      })
  );
}
