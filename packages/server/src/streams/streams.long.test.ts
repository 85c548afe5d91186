import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { cuttingProxy } from '@agonhq/test/support/cutting-proxy.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { createClient } from '../client/index.ts';

let server: ServerUnderTest | undefined;
afterEach(async () => {
  await server?.[Symbol.asyncDispose]();
  server = undefined;
});

interface Line {
  offset?: number;
  key?: string;
  case?: string;
  label?: string;
  error?: { code: string };
  end?: { next: number; judged: number; failed: number; complete: boolean };
}

/** A request that is still being sent while its answer is read. */
function openStream(url: string, query = '', headers: Record<string, string> = {}) {
  const asked = request(`${url}/api/stream${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...headers },
  });
  const lines: Line[] = [];
  const ended = new Promise<number>((resolve, reject) => {
    asked.on('error', reject);
    asked.on('response', (response) => {
      const reading = createInterface(response);
      reading.on('line', (line) => void lines.push(JSON.parse(line) as Line));
      reading.on('error', reject);
      response.on('end', () => resolve(response.statusCode!));
      response.on('error', reject);
    });
  });
  ended.catch(() => undefined);
  return {
    asked,
    lines,
    ended,
    send: (item: object | string) => asked.write(`${typeof item === 'string' ? item : JSON.stringify(item)}\n`),
  };
}

describe('POST /api/stream', () => {
  test('answers an offset that comes again, judges what comes behind it, and names none that was not sent', async () => {
    server = await runningServer();
    const client = createClient({ baseUrl: server.url });
    const stream = openStream(server.url, '?stream=posts');
    const sent = [0, 1, 1, 2, 3, 1, 4];
    for (const offset of sent) stream.send({ offset, text: `Good morning, number ${offset}.` });
    stream.asked.end();
    expect(await stream.ended).toBe(200);
    expect(stream.lines.map(({ offset, label }) => [offset, label])).toEqual([
      ...sent.map((offset) => [offset, 'safe']),
      [undefined, undefined],
    ]);
    expect(stream.lines.at(-1)).toEqual({ end: { next: 5, judged: 7, failed: 0, complete: true } });
    expect((await client.streams.get('posts')).offset).toBe(4);

    const again = openStream(server.url, '?stream=posts&from=5');
    again.send({ offset: 2, text: 'Good morning, number 2.' });
    again.asked.end();
    expect(await again.ended).toBe(200);
    expect(again.lines).toMatchObject([{ offset: 2, label: 'safe' }, { end: { next: 5, judged: 1 } }]);
    expect((await client.streams.get('posts')).offset).toBe(4);
  });

  test('takes offsets up to where numbers are still exact, and none behind', async () => {
    server = await runningServer();
    const stream = openStream(server.url, '?stream=long');
    const last = 2 ** 53 - 2;
    for (const place of [{ offset: last - 1 }, {}, {}, { offset: last + 1 }, { offset: last }])
      stream.send({ ...place, text: 'Good morning.' });
    stream.asked.end();
    expect(await stream.ended).toBe(200);
    expect(stream.lines.map(({ offset, error, label, end }) => [offset ?? end?.next, error?.code ?? label])).toEqual([
      [last - 1, 'safe'],
      [last, 'safe'],
      [last + 1, 'bad-offset'],
      [last + 1, 'broken-line'],
      [last, 'safe'],
      [last + 1, undefined],
    ]);
    expect((await createClient({ baseUrl: server.url }).streams.get('long')).offset).toBe(last);
  });

  test('reads no more than it has room for while nobody reads its answer', async () => {
    server = await runningServer();
    const stream = openStream(server.url);
    stream.asked.on('response', (response) => response.pause());
    const line = `${JSON.stringify({ text: `Hello. ${'x'.repeat(200)}`, colour: 1 })}\n`;
    let sent = 0;
    for (let at = 0; at < 400_000 && !stream.asked.destroyed; at += 1) {
      sent += 1;
      if (!stream.asked.write(line)) {
        const drained = await Promise.race([
          new Promise((resolve) => stream.asked.once('drain', () => resolve(true))),
          pause(1_500, false),
        ]);
        if (!drained) break;
      }
    }
    expect(sent).toBeLessThan(400_000);
    stream.asked.destroy();
  });
});

describe('the client', () => {
  test('goes on by itself where the server ends a long stream, and every item has one result', async () => {
    server = await runningServer({}, { patience: { headersMs: 2_000, requestMs: 2_000 } });
    let asked = 0;
    const client = createClient({
      baseUrl: server.url,
      fetch(...request) {
        asked += 1;
        return fetch(...request);
      },
    });
    async function* items() {
      for (let at = 0; at < 60; at += 1) {
        yield { text: `Good evening, number ${at}.` };
        await pause(100);
      }
    }
    const offsets: number[] = [];
    for await (const { offset } of client.streams.judge(items(), { stream: 'long' })) offsets.push(offset);
    expect(offsets).toEqual(Array.from({ length: 60 }, (_, at) => at));
    // Six seconds, of which a request lasts not quite two.
    expect(asked).toBeGreaterThanOrEqual(3);
    expect((await client.streams.get('long')).offset).toBe(59);
  }, 30_000);

  test('has a result for each item, also for those with an offset that came before', async () => {
    server = await runningServer();
    const client = createClient({ baseUrl: server.url });
    const items = [{ offset: 0 }, { offset: 1 }, { offset: 1 }, { offset: 0 }, {}].map((place) => ({
      ...place,
      text: 'Good morning.',
    }));
    const offsets: number[] = [];
    for await (const { offset } of client.streams.judge(items)) offsets.push(offset);
    expect(offsets).toEqual([0, 1, 1, 0, 2]);
  });

  test('judges what comes as it comes, and goes on behind what it saw when it is cut off', async () => {
    server = await runningServer();
    const proxy = await cuttingProxy(server.url);
    const client = createClient({ baseUrl: proxy.url, retries: 10 });
    async function* items() {
      for (let at = 0; at < 60; at += 1) {
        yield { key: `post-${at}`, text: `Good morning, number ${at}.` };
        await pause(5);
      }
    }
    const results: { offset: number; key: string }[] = [];
    for await (const result of client.streams.judge(items(), { stream: 'cut' })) {
      results.push(result);
      if (results.length === 10 || results.length === 30) proxy.cut();
    }
    expect(results.map(({ offset }) => offset)).toEqual(Array.from({ length: 60 }, (_, at) => at));
    expect(results.map(({ key }) => key)).toEqual(Array.from({ length: 60 }, (_, at) => `post-${at}`));
    await proxy[Symbol.asyncDispose]();
  });
});
