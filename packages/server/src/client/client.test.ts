import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from './index.ts';

/* What a client makes of answers, whoever gives them. Against a real server: client.long.test.ts. */

interface Asked {
  url: string;
  method: string;
  headers: Headers;
  body: unknown;
}

const asked: Asked[] = [];
let waitedMs = 0;
beforeEach(() => {
  asked.length = 0;
  waitedMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => vi.useRealTimers());

/** A client of a server that answers so, one after the other; the last answer is given to all who come later. */
function clientOf(...answers: (() => Response)[]) {
  return createClient({
    baseUrl: 'http://agon.test///',
    key: 'a-key',
    fetch: async (url, init = {}) => {
      const { method = 'GET', headers, body } = init;
      asked.push({ url: url as string, method, headers: new Headers(headers), body });
      return (answers.length > 1 ? answers.shift()! : answers[0]!)();
    },
  });
}

interface Outcome<Value> {
  value?: Value;
  error?: { code: string };
}

/** What comes of a call; whatever it waits for passes at once, and is counted. */
async function settled<Value>(call: Promise<Value>): Promise<Outcome<Value>> {
  const outcomes: Outcome<Value>[] = [];
  call.then(
    (value) => outcomes.push({ value }),
    (error: unknown) => outcomes.push({ error: error as { code: string } }),
  );
  for (let step = 0; step < 10_000 && outcomes.length === 0; step += 1) {
    await vi.advanceTimersByTimeAsync(10);
    if (outcomes.length === 0) waitedMs += 10;
  }
  return outcomes[0]!;
}

const json =
  (value: unknown, status = 200, headers = {}) =>
  () =>
    Response.json(value, { status, headers });
const problem = (code: string, status: number, headers = {}) =>
  json({ code, detail: 'So it is.', hint: 'Do so.' }, status, { 'x-request-id': 'req-1', ...headers });
const unreachable = () => {
  throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
};
const events =
  (...told: { id?: string; data: object }[]) =>
  () =>
    new Response(told.map(({ id, data }) => `${id ? `id: ${id}\n` : ''}data: ${JSON.stringify(data)}\n\n`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    });

describe('a call', () => {
  test('names the key, fills in ids as they are, and sends what is given beside them', async () => {
    const client = clientOf(json({ rows: [], next: null }));
    await settled(client.cases.get('a/b c'));
    await settled(client.cases.list({ label: 'unsafe', search: 'a&b', decided: false }));
    expect(asked[0]!.url).toBe('http://agon.test/api/cases/a%2Fb%20c');
    expect(asked[0]!.headers.get('authorization')).toBe('Bearer a-key');
    const { searchParams, pathname } = new URL(asked[1]!.url);
    expect(pathname).toBe('/api/cases');
    expect(Object.fromEntries(searchParams)).toEqual({ label: 'unsafe', search: 'a&b', decided: 'false' });
    await settled(client.cases.feedback('mod-1', { label: 'safe', why: 'A joke.' }));
    expect(asked[2]).toMatchObject({ method: 'POST', body: JSON.stringify({ label: 'safe', why: 'A joke.' }) });
    expect(asked[2]!.headers.get('content-type')).toBe('application/json');
  });

  test('that is refused says why, what to do, and which request it was', async () => {
    const { error } = await settled(clientOf(problem('unknown-case', 404)).cases.get('x'));
    expect(error).toMatchObject({
      code: 'unknown-case',
      message: 'So it is.',
      hint: 'Do so.',
      status: 404,
      requestId: 'req-1',
    });
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['too many requests', problem('rate-limited', 429), true],
    ['a server that drains', problem('draining', 503), true],
    ['a gateway without a server', () => new Response('<html>', { status: 502 }), true],
    ['nobody who listens', unreachable, true],
    ['what is wrong with the request', problem('bad-request', 400), false],
    ['what failed for good', problem('failed', 500), false],
  ])('is made again after %s where that may help', async (_why, answer, again) => {
    const { value, error } = await settled(clientOf(answer, json({ id: 'x' })).cases.get('x'));
    expect(asked).toHaveLength(again ? 2 : 1);
    expect(value === undefined).toBe(!again);
    expect(error === undefined).toBe(again);
  });

  test('that changes something is made again only where it cannot happen twice', async () => {
    const key = () => asked.map(({ headers }) => headers.get('idempotency-key'));
    await settled(clientOf(unreachable, json({})).moderations.create({ text: 'Hello' }));
    expect(key()).toEqual([expect.stringMatching(/^[\w-]{32,}$/), key()[0]]);
    asked.length = 0;
    await settled(clientOf(unreachable, json({})).keys.revoke('k'));
    expect(asked).toHaveLength(1);
    asked.length = 0;
    // Too much at once was not begun.
    await settled(clientOf(problem('rate-limited', 429), json({})).keys.revoke('k'));
    expect(asked).toHaveLength(2);
  });

  test('waits as long as it is told, and not at all for what takes longer than a minute', async () => {
    await settled(clientOf(problem('rate-limited', 429, { 'retry-after': '7' }), json({})).cases.get('x'));
    expect(waitedMs).toBeGreaterThanOrEqual(6_980);
    expect(waitedMs).toBeLessThan(7_400);
    asked.length = 0;
    const late = clientOf(problem('rate-limited', 429, { 'retry-after': '61' }), json({}));
    expect((await settled(late.cases.get('x'))).error).toMatchObject({ code: 'rate-limited' });
    expect(asked).toHaveLength(1);
  });

  test('is made three times again and no more, or as often as it is told, each after a longer pause', async () => {
    const { error } = await settled(clientOf(unreachable).cases.get('x'));
    expect(error).toMatchObject({ code: 'unreachable-server', status: null });
    expect(asked).toHaveLength(4);
    expect(waitedMs).toBeGreaterThan(0.5 * (250 + 500 + 1000) - 40);
    expect(waitedMs).toBeLessThan(1.5 * (250 + 500 + 1000) + 40);
    asked.length = 0;
    await settled(clientOf(unreachable).cases.get('x', { retries: 0 }));
    expect(asked).toHaveLength(1);
  });

  test('that takes too long is ended, and says so', async () => {
    const client = createClient({
      timeoutMs: 5_000,
      fetch: (_, init) =>
        new Promise((_resolve, reject) =>
          init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
        ),
    });
    expect((await settled(client.cases.get('x'))).error).toMatchObject({ code: 'client-timeout' });
    expect(waitedMs).toBeGreaterThanOrEqual(4_980);
    expect(waitedMs).toBeLessThan(5_100);
  });
});

describe('a stream of events', () => {
  const turn = (number: number, by = 'a') => ({ id: `${number}@${by}`, data: { type: 'turn', number } });
  const end = { id: '9@a', data: { type: 'answer', answer: { id: 'mod-1' } } };
  const hear = async (stream: AsyncIterable<unknown>) => {
    const heard: unknown[] = [];
    for await (const event of stream) heard.push(event);
    return heard;
  };

  test('is heard event by event, and its answer is there afterwards too, or without anybody listening', async () => {
    const stream = clientOf(events(turn(1), turn(2), end)).moderations.stream({ text: 'x' });
    const { value } = await settled(hear(stream));
    expect(value).toMatchObject([{ number: 1 }, { number: 2 }, { type: 'answer' }]);
    expect((await settled(stream.answer())).value).toEqual({ id: 'mod-1' });
    const unheard = clientOf(events(turn(1), end)).moderations.stream({ text: 'x' });
    expect((await settled(unheard.answer())).value).toEqual({ id: 'mod-1' });
    expect(asked.every(({ headers }) => headers.get('accept') === 'text/event-stream')).toBe(true);
  });

  test('that is cut off goes on after the last event, and tells each once, whoever tells it again', async () => {
    const stream = clientOf(events(turn(1), turn(2)), events(turn(2, 'b'), turn(3, 'b'), end)).moderations.stream({
      text: 'x',
    });
    const { value } = await settled(hear(stream));
    expect(value).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3 }, { type: 'answer' }]);
    expect(asked.map(({ headers }) => headers.get('last-event-id'))).toEqual([null, '2@a']);
    expect(new Set(asked.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  test('that tells of a problem ends with it, and one that is left has no answer', async () => {
    const failing = events(turn(1), {
      data: { type: 'problem', problem: { status: 422, code: 'nobody-heard', detail: 'So it is.', hint: 'Do so.' } },
    });
    const { error } = await settled(hear(clientOf(failing).moderations.stream({ text: 'x' })));
    expect(error).toMatchObject({ code: 'nobody-heard', status: 422 });
    const stream = clientOf(events(turn(1), end)).moderations.stream({ text: 'x' });
    await settled(
      (async () => {
        for await (const _ of stream) break;
      })(),
    );
    expect((await settled(stream.answer())).error).toMatchObject({ code: 'stream-left' });
  });
});

describe('a stream of items', () => {
  const lines =
    (...results: object[]) =>
    () =>
      new Response(results.map((result) => `${JSON.stringify(result)}\n`).join(''), {
        headers: { 'content-type': 'application/x-ndjson' },
      });
  const end = (next: number, complete: boolean) => ({ end: { next, judged: next, failed: 0, complete } });
  /** The lines of the items that were sent in each request. */
  const sent: string[][] = [];

  function streamOf(...answers: (() => Response)[]) {
    sent.length = 0;
    return createClient({
      key: 'a-key',
      fetch: async (url, init = {}) => {
        asked.push({ url: url as string, method: init.method!, headers: new Headers(init.headers), body: null });
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
        sent.push((await new Response(init.body).text()).trim().split('\n').filter(Boolean));
        return answer();
      },
    });
  }
  const judge = async (client: ReturnType<typeof streamOf>, query = {}) => {
    const results: unknown[] = [];
    for await (const result of client.streams.judge([{ text: 'a' }, { text: 'b' }, { text: 'c' }], query))
      results.push((result as { offset?: number }).offset);
    return results;
  };

  test('gives each item its place, and its results in their order', async () => {
    const client = streamOf(lines({ offset: 7 }, { offset: 8 }, { offset: 9 }, end(10, true)));
    const { value } = await settled(judge(client, { from: 7, job: 'moderation' }));
    expect(value!.filter((offset) => offset !== undefined)).toEqual([7, 8, 9]);
    expect(sent[0]!.map((line) => JSON.parse(line) as object)).toEqual([
      { text: 'a', offset: 7 },
      { text: 'b', offset: 8 },
      { text: 'c', offset: 9 },
    ]);
    expect(asked[0]!.headers.get('authorization')).toBe('Bearer a-key');
    expect(asked[0]!.headers.get('content-type')).toBe('application/x-ndjson');
    expect(new URL(asked[0]!.url).search).toBe('?job=moderation');
  });

  test('that is cut off sends again what has no result yet, and nothing else', async () => {
    const client = streamOf(lines({ offset: 0 }), lines({ offset: 1 }, { offset: 2 }, end(3, true)));
    const { value } = await settled(judge(client));
    expect(value!.filter((offset) => offset !== undefined)).toEqual([0, 1, 2]);
    expect(sent.map((each) => each.map((line) => (JSON.parse(line) as { offset: number }).offset))).toEqual([
      [0, 1, 2],
      [1, 2],
    ]);
  });

  test.each([400, 401, 403, 404])('that is refused with %i says so, and is not tried again', async (status) => {
    const { error } = await settled(judge(streamOf(problem('bad-request', status))));
    expect(error).toMatchObject({ code: 'bad-request', status });
    expect(asked).toHaveLength(1);
  });
});
