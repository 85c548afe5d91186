import { serve as serveFetch } from '@hono/node-server';
import {
  simulateReadableStream,
  pipeTextStreamToResponse,
  pipeUIMessageStreamToResponse,
  type UIMessageChunk,
} from 'ai';
import express, { type RequestHandler, type Response as ExpressResponse } from 'express';
import { Hono } from 'hono';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterAll, describe, expect, test } from 'vitest';
import {
  after,
  before,
  harm,
  httpGuardContract,
  listen,
  question,
  type Handler,
} from '@agonhq/test/support/guard-contract.ts';
import type { Guard } from '../../guard/index.ts';
import { guardExpress, guardFetch, guardHono } from './index.ts';

const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) server.closeAllConnections();
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
});

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

async function serveHandler(handle: (request: Request) => Response | Promise<Response>): Promise<string> {
  const server = await new Promise<Server>((resolve) => {
    const started = serveFetch({ fetch: handle, port: 0, hostname: '127.0.0.1' }, () => resolve(started as Server));
  });
  servers.push(server);
  return addressOf(server);
}

/** A handler as one of the Fetch API. */
async function respond(handler: Handler): Promise<Response> {
  const left = new AbortController();
  const head = Promise.withResolvers<{ headers: Record<string, string>; status: number }>();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own), cancel: () => left.abort() });
  void handler({
    open: (headers, status = 200) => head.resolve({ headers, status }),
    flush: () => undefined,
    write: (piece) => left.signal.aborted || controller.enqueue(Buffer.from(piece as string)),
    left: left.signal,
  }).then(
    () => left.signal.aborted || controller.close(),
    (error: unknown) => controller.error(error),
  );
  const { headers, status } = await head.promise;
  return new Response(status === 204 ? null : body, { headers, status });
}

async function serveExpress(guard: Guard, answer: (response: ExpressResponse) => Promise<void>): Promise<string> {
  const app = express();
  const quiet: RequestHandler = (_request, response, next) => {
    response.app.set('env', 'test');
    next();
  };
  app.post('/', quiet, guardExpress({ guard, responses: 'judge' }), async (_request, response) => answer(response));
  const server = createServer(app);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return addressOf(server);
}

describe('a handler of the Fetch API behind the guard', () => {
  httpGuardContract((handler, guard) =>
    serveHandler(guardFetch(() => respond(handler), { guard, responses: 'judge' })),
  );
});

describe('Hono behind the guard', () => {
  httpGuardContract((handler, guard) => {
    const app = new Hono();
    app.use(guardHono({ guard, responses: 'judge' }));
    app.post('/', () => respond(handler));
    return serveHandler(app.fetch);
  });
});

describe('Express behind the guard', () => {
  httpGuardContract((handler, guard) =>
    serveExpress(guard, async (response) => {
      const left = new AbortController();
      response.on('close', () => left.abort());
      await handler({
        open: (headers, status = 200) => void response.status(status).set(headers),
        flush: () => response.flushHeaders(),
        write: (piece) => void response.write(piece),
        left: left.signal,
      });
      response.end();
    }),
  );

  const words = `${before}${harm}${after}`.split(/(?<= )/);
  const streamOf = <Part>(parts: Part[]) => simulateReadableStream({ chunks: parts, chunkDelayInMs: 5 });
  const deltas = words.map((delta): UIMessageChunk => ({ type: 'text-delta', id: 'txt-0', delta }));

  test.each<[string, (response: ExpressResponse) => Promise<void>]>([
    ['pipeTextStreamToResponse', async (response) => pipeTextStreamToResponse({ response, stream: streamOf(words) })],
    [
      'pipeUIMessageStreamToResponse',
      async (response) =>
        pipeUIMessageStreamToResponse({
          response,
          stream: streamOf<UIMessageChunk>([{ type: 'start' }, { type: 'text-start', id: 'txt-0' }, ...deltas]),
        }),
    ],
    ['pipeline', (response) => pipeline(Readable.from(words), response.type('text/plain'))],
  ])('%s leaves with what came before the harm', async (_what, answer) => {
    const { guard, reports } = listen();
    const response = await fetch(await serveExpress(guard, answer), { method: 'POST', body: question });
    const text = await response.text();
    expect(text).toContain('antler');
    expect(text).not.toMatch(/bomb|powder|caps/);
    expect(reports).toMatchObject([{ done: 'stopped' }]);
  });

  test('who writes faster than is judged waits, and loses nothing', async () => {
    const { guard } = listen();
    const long = Array.from({ length: 40 }, () => ' '.repeat(4_000));
    let waited = 0;
    const url = await serveExpress(guard, async (response) => {
      response.writeHead(200, 'Fine', ['content-type', 'text/plain', 'x-own', 'a', 'x-own', 'b']);
      for (const piece of long)
        if (!response.write(piece)) {
          waited += 1;
          await new Promise((resolve) => response.once('drain', resolve));
        }
      response.end('End.');
    });
    const response = await fetch(url, { method: 'POST', body: question });
    expect([response.statusText, response.headers.get('x-own')]).toEqual(['Fine', 'a, b']);
    expect((await response.text()).length).toBe(long.join('').length + 4);
    expect(waited).toBeGreaterThan(0);
  });
});
