import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test, vi } from 'vitest';
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

const until = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000, interval: 20 });

describe('POST /api/stream', () => {
  test('answers each line while the next are still to be sent, and a bad one with its offset and an error', async () => {
    server = await runningServer();
    const stream = openStream(server.url, '?stream=posts&from=7');
    stream.send({ key: 'a', text: 'Hello there.' });
    await until(() => expect(stream.lines).toHaveLength(1));
    expect(stream.lines[0]).toMatchObject({ stream: 'posts', offset: 7, key: 'a', label: 'safe' });
    expect(await (await server.call(`/api/cases/${stream.lines[0]!.case}/answer`)).json()).toMatchObject({
      subject: { id: 'a' },
    });
    stream.send('{broken');
    stream.send({ key: 'c', colour: 'blue' });
    stream.send({ offset: 3, text: 'Once more.' });
    stream.send({ offset: 20, text: 'Good morning.' });
    await until(() => expect(stream.lines).toHaveLength(5));
    expect(stream.lines.slice(1).map(({ offset, error, label }) => [offset, error?.code ?? label])).toEqual([
      [8, 'broken-line'],
      [9, 'bad-request'],
      [3, 'safe'],
      [20, 'safe'],
    ]);
    stream.asked.end();
    expect(await stream.ended).toBe(200);
    expect(stream.lines.at(-1)).toEqual({ end: { next: 21, judged: 3, failed: 2, complete: true } });
    const client = createClient({ baseUrl: server.url });
    await until(async () => expect(await client.streams.get('posts')).toMatchObject({ stream: 'posts', offset: 20 }));
    await expect(client.streams.get('other')).rejects.toMatchObject({ code: 'unknown-stream', status: 404 });
  });

  test('is refused with another type, without rights, and for a job that is not there', async () => {
    server = await runningServer();
    const post = (query: string, type: string) =>
      fetch(`${server!.url}/api/stream${query}`, { method: 'POST', headers: { 'content-type': type }, body: '{}\n' });
    expect((await post('', 'application/json')).status).toBe(415);
    expect((await post('?job=nothing', 'application/x-ndjson')).status).toBe(404);
    expect((await post('?from=-1', 'application/x-ndjson')).status).toBe(400);
  });

  test('is ended with where to go on when the server drains', async () => {
    server = await runningServer();
    const stream = openStream(server.url);
    stream.send({ text: 'Hello there.' });
    await until(() => expect(stream.lines).toHaveLength(1));
    void server[Symbol.asyncDispose]();
    await until(() => expect(stream.lines.at(-1)).toMatchObject({ end: { next: 1, complete: false } }));
    server = undefined;
  });
});
