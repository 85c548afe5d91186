import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A load balancer as small as can be: in turn, to those whose /readyz says 200. */
export interface Balancer extends AsyncDisposable {
  url: string;
  /** How many requests each has answered. */
  answered: Map<string, number>;
  /** What could not be passed on, or broke off. */
  failures: string[];
  isReady(backend: string): boolean;
}

const checkMs = 150;
const checkTimeoutMs = 2_000;

/** Keeps connections open. A request that a server refuses to take goes to the next one; no other is ever repeated. */
export async function startBalancer(backends: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set<string>();
  const answered = new Map(backends.map((backend) => [backend, 0]));
  const failures: string[] = [];
  let turn = 0;

  /** What says no, or is not there, is out; one that is late with its answer is busy, and stays where it was. */
  async function check(backend: string): Promise<void> {
    const answer = await fetch(`${backend}/readyz`, { signal: AbortSignal.timeout(checkTimeoutMs) }).then(
      async (response) => (await response.text(), response.ok),
      (error: Error) => (error.name === 'TimeoutError' ? null : false),
    );
    if (answer === true) ready.add(backend);
    if (answer === false) ready.delete(backend);
  }
  const over = new AbortController();
  const checking = backends.map(async (backend) => {
    while (!over.signal.aborted) {
      await check(backend);
      await setTimeout(checkMs);
    }
  });

  function fail(response: ServerResponse, why: string): void {
    failures.push(why);
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end(why);
  }

  function pass(incoming: IncomingMessage, body: Buffer, response: ServerResponse, tries = 0): void {
    const candidates = backends.filter((backend) => ready.has(backend));
    const backend = candidates[turn++ % Math.max(1, candidates.length)];
    if (backend === undefined || tries > backends.length) return fail(response, 'nobody is ready');
    const onward = ask(`${backend}${incoming.url}`, {
      agent,
      method: incoming.method,
      headers: { ...incoming.headers, host: new URL(backend).host },
    });
    onward.on('response', (answer) => {
      answered.set(backend, answered.get(backend)! + 1);
      const { connection: _, 'transfer-encoding': __, ...headers } = answer.headers;
      response.writeHead(answer.statusCode!, headers);
      // Where the client has gone, nothing was lost on it.
      answer.on('error', (error) => response.destroyed || fail(response, `${backend}: ${error.message}`));
      answer.pipe(response);
    });
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') pass(incoming, body, response, tries + 1);
      else if (!response.destroyed) fail(response, `${backend}: ${error.message}`);
    });
    response.on('close', () => onward.destroy());
    onward.end(body);
  }

  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => pass(incoming, Buffer.concat(parts), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    failures,
    isReady: (backend) => ready.has(backend),
    async [Symbol.asyncDispose]() {
      over.abort();
      await Promise.all(checking);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
