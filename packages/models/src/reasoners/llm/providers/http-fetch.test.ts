import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { json, startFakeProvider } from '@agonhq/test/fake-provider/index.ts';
import { debater, good, question } from '@agonhq/test/fake-provider/stage.ts';
import { createLlmPool } from '../pool.ts';
import { createHttpFetch } from './http-fetch.ts';

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/path?x=1`,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const fetch = createHttpFetch({});

describe('fetch over node:http', () => {
  it('sends method, headers and body, and returns status, headers and body', async () => {
    await using server = await serve((request, response) => {
      const answer = (body: string) =>
        response
          .writeHead(418, { 'x-answer': 'tea' })
          .end(`${request.method} ${request.url} ${String(request.headers['x-question'])} ${body}`);
      void readText(request).then(answer);
    });
    for (const headers of [{ 'x-question': 'why' }, new Headers({ 'x-question': 'why' })]) {
      const response = await fetch(server.url, { method: 'POST', headers, body: 'ünïcode 😀' });
      expect([response.status, response.headers.get('x-answer')]).toEqual([418, 'tea']);
      expect(await response.text()).toBe('POST /path?x=1 why ünïcode 😀');
    }
  });

  it('takes an answer without a body', async () => {
    await using server = await serve((_request, response) => response.writeHead(204).end());
    expect(await (await fetch(server.url)).text()).toBe('');
  });

  it('hands an event stream on as it comes', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: first\n\n');
    });
    const controller = new AbortController();
    const response = await fetch(server.url, { signal: controller.signal });
    const { value } = await response.body!.getReader().read();
    expect(new TextDecoder().decode(value)).toBe('data: first\n\n');
    controller.abort();
  });

  it('rejects when the answer breaks off, nobody listens, or it is aborted', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy());
    });
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await server[Symbol.asyncDispose]();
    await expect(fetch(server.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(fetch(server.url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('goes through a proxy when the environment says so', async () => {
    const proxy = await startFakeProvider(() => json(good));
    const environment = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy.url };
    const pool = createLlmPool({ providers: { far: { baseUrl: 'http://far.test/v1' } } }, environment);
    const answer = await pool
      .forItem()('far:model')
      .answer(debater(), question(), { signal: new AbortController().signal });
    expect(answer).toMatchObject({ outcome: 'answered', value: good });
    expect(proxy.requests[0]!.headers.host).toBe('far.test');
    await proxy.close();
  });
});
