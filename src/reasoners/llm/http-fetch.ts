import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { Environment } from './providers.ts';
import { wholeResponse } from './whole-response.ts';

/**
 * What the SDK needs of fetch, over node:http. With many debates at once the CPU time of a call decides how long they
 * take, and the built-in fetch would be most of it.
 * Proxies are used like by the rest of Node: when NODE_USE_ENV_PROXY=1 says so.
 */
export function createHttpFetch(environment: Environment): typeof fetch {
  const options = { keepAlive: true, ...(environment.NODE_USE_ENV_PROXY === '1' ? { proxyEnv: environment } : {}) };
  const plain = { request: httpRequest, agent: new HttpAgent(options) };
  const encrypted = { request: httpsRequest, agent: new HttpsAgent(options) };

  // The few addresses that models have are taken apart once.
  const addresses = new Map<string, ReturnType<typeof urlToHttpOptions>>();
  const addressOf = (url: string) => {
    let address = addresses.get(url);
    if (!address) addresses.set(url, (address = urlToHttpOptions(new URL(url))));
    return address;
  };

  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const address = addressOf(input instanceof Request ? input.url : String(input));
      const { request, agent } = address.protocol === 'https:' ? encrypted : plain;
      const headers =
        init.headers instanceof Headers ? Object.fromEntries(init.headers) : (init.headers as Record<string, string>);
      const { method, signal } = init;
      const outgoing = request({ ...address, method, headers, agent, signal: signal ?? undefined }, (incoming) => {
        const stream = incoming.headers['content-type']?.includes('event-stream');
        if (stream) resolve(streamed(incoming));
        else readWhole(incoming, (body) => resolve(wholeResponse(incoming, body)), reject);
      });
      outgoing.on('error', reject);
      outgoing.end(init.body as string | undefined);
    });
}

function streamed(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (let i = 0; i < incoming.rawHeaders.length; i += 2)
    headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!);
  return new Response(Readable.toWeb(incoming) as ReadableStream, {
    status: incoming.statusCode ?? 502,
    statusText: incoming.statusMessage,
    headers,
  });
}

function readWhole(incoming: IncomingMessage, done: (body: Buffer) => void, failed: (error: Error) => void): void {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => void chunks.push(chunk));
  incoming.on('end', () => done(Buffer.concat(chunks)));
  incoming.on('error', failed);
}
