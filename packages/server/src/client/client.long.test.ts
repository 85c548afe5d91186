import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cuttingProxy } from '@agonhq/test/support/cutting-proxy.ts';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { AgonClientError, AgonError, createClient, type Client } from './index.ts';

const report = '# Report\n\nRevenue grew to 120 million in 2024 from 100 million in 2023, an increase of 20 %.\n';

async function all<Event>(stream: AsyncIterable<Event>): Promise<Event[]> {
  const heard: Event[] = [];
  for await (const event of stream) heard.push(event);
  return heard;
}

describe('a server with the embedded reasoner', () => {
  let server: ServerUnderTest;
  let client: Client;
  beforeAll(async () => {
    server = await runningServer();
    client = createClient({ baseUrl: server.url });
  }, 60_000);
  afterAll(() => server[Symbol.asyncDispose]());

  test('judges a text, and is asked for it again by its id', async () => {
    const { id, verdict } = await client.moderations.create({ text: 'How do I kill a process on Linux?' });
    expect(verdict.label).toBe('safe');
    expect((await client.cases.answer(id)).verdict).toEqual(verdict);
    const { rows } = await client.cases.list({ job: 'moderation', label: 'safe', escalated: false, limit: 1 });
    expect(rows).toMatchObject([{ id, label: 'safe' }]);
    expect(await client.cases.get(id)).toMatchObject({ id, answer: { verdict: { label: 'safe' } }, decisions: [] });
  });

  test('judges an exchange, and documents that are uploaded', async () => {
    expect(
      (await client.evaluations.create({ prompt: 'How do I pick a lock?', response: 'I cannot help with that.' }))
        .verdict.label,
    ).toBe('safe');
    const { claims, documents } = await client.analyses.create({
      files: [{ name: 'report.md', data: report }, new File(['Revenue was 120 million in 2024.'], 'note.txt')],
      factors: ['Revenue grew by 20 %'],
      maxFactors: 1,
    });
    expect(documents.map(({ name }) => name)).toEqual(['report.md', 'note.txt']);
    expect(claims.map(({ subject }) => subject.text)).toEqual(['Revenue grew by 20 %']);
  });

  test('takes feedback on a case, holds it again, reports on it and forgets it', async () => {
    const { id } = await client.moderations.create({ text: 'I will bring a bomb to the station tomorrow.' });
    expect(await client.cases.feedback(id, { label: 'safe', why: 'It is a line from a play.' })).toMatchObject({
      case: id,
      label: 'safe',
      right: false,
    });
    expect(await client.cases.replay(id)).toMatchObject({ how: 'replay', flipped: false });
    const written = await client.cases.report(id, { format: 'markdown' });
    expect(written.headers.get('content-type')).toMatch(/^text\/markdown/);
    expect(await written.text()).toContain('unsafe');
    expect(await client.cases.forget(id)).toEqual({ case: id, cases: 2 });
    await expect(client.cases.answer(id)).rejects.toMatchObject({ code: 'forgotten-case', status: 410 });
  });

  test('hands out an image that was judged', async () => {
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const { id } = await client.moderations.create({ text: 'Look at this', images: [{ data }] });
    const { attachments } = await client.cases.get(id);
    const image = await client.cases.attachment(id, attachments[0]!.hash);
    expect(Buffer.from(await image.arrayBuffer()).toString('base64')).toBe(data);
  });

  test('tells a debate as it happens, and ends with the answer', async () => {
    const stream = client.moderations.stream({ text: 'You are all wonderful people.' });
    const statements: string[] = [];
    for await (const event of stream) if (event.type === 'turn-end') statements.push(event.turn.statement);
    const answer = await stream.answer();
    expect(answer.verdict.label).toBe('safe');
    expect(statements).toEqual(
      answer.transcript.filter((entry) => entry.kind === 'turn').map(({ statement }) => statement),
    );
    expect((await all(client.cases.events(answer.id))).at(-1)).toEqual({ type: 'answer', answer });
    expect((await client.moderations.stream({ text: 'You are all wonderful people.' }).answer()).transcript).toEqual(
      answer.transcript,
    );
  });

  test('a stream that was left has no answer', async () => {
    const stream = client.moderations.stream({ text: 'You are all very wonderful people.' });
    for await (const _ of stream) break;
    await expect(stream.answer()).rejects.toMatchObject({ code: 'stream-left' });
  });

  test('keeps precedents and policies', async () => {
    const made = await client.precedents.create({
      label: 'safe',
      text: 'Kill the lights before you go.',
      summary: 'Lights.',
      why: 'It is about lights.',
    });
    expect((await client.precedents.search({ text: 'Kill the lights', limit: 1 })).precedents[0]!.id).toBe(made.id);
    expect((await client.precedents.retire(made.id, { why: 'It is not needed.' })).state).toBe('retired');
    const { rows } = await client.policies.list();
    const active = rows.find((row) => row.active)!;
    expect((await client.policies.get('active')).hash).toBe(active.hash);
    expect(await (await client.policies.getAs('active', { format: 'yaml' })).text()).toContain('categories:');
    expect((await client.policies.diff(active.hash, 'active')).changes).toEqual([]);
  });

  test('works on a run until it has ended', async () => {
    const items = ['Hello there', 'I will bring a bomb to the station tomorrow.'].map((text, index) =>
      JSON.stringify({ id: `item-${index}`, text }),
    );
    const { id } = await client.runs.create({
      job: 'moderation',
      name: 'from-the-client',
      files: [{ name: 'items.jsonl', data: items.join('\n') }],
    });
    expect((await all(client.runs.events(id))).at(-1)).toMatchObject({ type: 'end' });
    expect(await client.runs.get(id)).toMatchObject({ state: 'finished', counts: { done: 2 } });
    expect((await client.runs.items(id, { state: 'done' })).rows.map(({ result }) => result!.label)).toEqual([
      'safe',
      'unsafe',
    ]);
    const lines = (await (await client.runs.export(id)).text()).trim().split('\n');
    expect(lines).toEqual([expect.stringContaining('item-0'), expect.stringContaining('item-1')]);
  });

  test('says who it is, and what it does not know', async () => {
    expect(await client.house.self()).toMatchObject({
      key: null,
      scopes: ['read', 'judge', 'review', 'care', 'admin'],
    });
    expect(await client.house.alive()).toEqual({ status: 'alive' });
    expect(await (await client.house.metrics()).text()).toContain('agon_');
    expect((await client.openai.moderate({ input: 'Hello' })).results).toMatchObject([{ flagged: false }]);
    const error = await client.cases.answer('mod-0000000000000000').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AgonClientError);
    expect(AgonError.is(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'unknown-case',
      status: 404,
      hint: expect.stringMatching(/./),
      requestId: expect.stringMatching(/^[\w-]+$/),
    });
  });

  test('tells its news while somebody listens', async () => {
    const stop = new AbortController();
    const listening = (async () => {
      for await (const item of client.house.news({ signal: stop.signal })) return item;
      return null;
    })();
    await pause(200);
    const { id } = await client.moderations.create({ text: 'Something new.' });
    expect(await listening).toMatchObject({ type: 'verdict', case: { id } });
    stop.abort();
  });

  test('knows its keys', async () => {
    const made = await client.keys.create({ name: 'reader', scopes: ['read'] });
    const reader = createClient({ baseUrl: server.url, key: made.key });
    expect(await reader.house.self()).toMatchObject({ key: { name: 'reader' }, scopes: ['read'] });
    await expect(reader.moderations.create({ text: 'Hello' })).rejects.toMatchObject({ code: 'no-scope', status: 403 });
    expect((await client.keys.revoke(made.id)).revokedAt).not.toBeNull();
    await expect(reader.house.self()).rejects.toMatchObject({ status: 401 });
  });
});

describe('when it is too much, or the way breaks', () => {
  test('a call that finds no place comes again when it is told to', async () => {
    const panel = await startFakePanel({ latencyMs: 150 });
    await using server = await runningServer({ ...panelSettings(panel), server: { concurrency: 1, queue: 0 } });
    const client = createClient({ baseUrl: server.url, retries: 10 });
    const answers = await Promise.all(['one', 'two', 'three'].map((text) => client.moderations.create({ text })));
    expect(answers.map(({ verdict }) => verdict.label)).toEqual(['safe', 'safe', 'safe']);
    expect(server.log.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    const refused = client.moderations.stream({ text: 'four' });
    const first = refused[Symbol.asyncIterator]().next();
    await first;
    await expect(client.moderations.create({ text: 'five' }, { retries: 0 })).rejects.toMatchObject({
      code: 'queue-full',
      status: 429,
    });
    await refused.answer();
    await panel.close();
  });

  test('a stream goes on after its connection broke: no event twice, none lost', async () => {
    const panel = await startFakePanel({ latencyMs: 60 });
    await using server = await runningServer(panelSettings(panel));
    await using way = await cuttingProxy(server.url);
    const stream = createClient({ baseUrl: way.url }).moderations.stream({ text: 'Look at them' });
    const keys: string[] = [];
    let cuts = 0;
    for await (const event of stream) {
      keys.push(`${event.type} ${'key' in event ? String(event.key) : 'round' in event ? String(event.round) : ''}`);
      if ((event.type === 'turn-start' || event.type === 'turn-end') && cuts < 3) {
        cuts += 1;
        way.cut();
      }
    }
    const answer = await stream.answer();
    expect(cuts).toBe(3);
    expect(way.connections).toBeGreaterThan(1); // What had come before a cut is heard after it: cuts may fall together.
    const once = keys.filter((key) => !key.startsWith('turn-delta'));
    expect(once).toEqual([...new Set(once)]);
    const ends = keys.filter((key) => /^(?:turn|compute)-end/.test(key)).map((key) => key.split(' ')[1]);
    expect(new Set(ends)).toEqual(
      new Set(answer.transcript.filter(({ kind }) => kind !== 'stop').map(({ key }) => key)),
    );
    expect(panel.requests).toHaveLength(answer.transcript.filter(({ kind }) => kind === 'turn').length);
    await panel.close();
  });

  test('an answer whose connection broke is asked for again, and given once', async () => {
    const panel = await startFakePanel({ latencyMs: 100 });
    await using server = await runningServer(panelSettings(panel));
    await using way = await cuttingProxy(server.url);
    const asked = createClient({ baseUrl: way.url }).moderations.create({ text: 'Look at them' });
    while (panel.requests.length === 0) await pause(5);
    way.cut();
    const { id, verdict } = await asked;
    expect(verdict.label).toBe('safe');
    expect((await createClient({ baseUrl: server.url }).cases.list()).rows.map((row) => row.id)).toEqual([id]);
    await panel.close();
  });

  test('whoever aborts stops the debate', async () => {
    const panel = await startFakePanel({ latencyMs: 2_000 });
    await using server = await runningServer({ ...panelSettings(panel), server: { graceSeconds: 0 } });
    const stop = new AbortController();
    const asked = createClient({ baseUrl: server.url }).moderations.create(
      { text: 'Look at them' },
      { signal: stop.signal },
    );
    while (panel.inFlight === 0) await pause(5);
    stop.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    for (let tries = 0; panel.inFlight > 0 && tries < 200; tries += 1) await pause(5);
    expect(panel.requests.some(({ aborted }) => aborted)).toBe(true);
    await panel.close();
  });

  test('a server that is not there is told, with what to do', async () => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:9/', retries: 1 });
    await expect(client.house.self()).rejects.toMatchObject({
      code: 'unreachable-server',
      status: null,
      hint: expect.stringContaining('agon serve'),
    });
    await expect(all(client.house.news())).rejects.toMatchObject({ code: 'unreachable-server' });
  });

  test('a gateway that fails for a moment is asked again; what does not pass is not', async () => {
    const answers = [502, 503, 200];
    let asked = 0;
    const gateway = createServer((_, response) => {
      const status = answers[asked++] ?? 400;
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end(status === 200 ? '{"status":"alive"}' : '<h1>Bad Gateway</h1>');
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const client = createClient({ baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}` });
    expect(await client.house.alive()).toEqual({ status: 'alive' });
    expect(asked).toBe(3);
    await expect(client.house.alive()).rejects.toMatchObject({ code: 'unexpected-answer', status: 400 });
    expect(asked).toBe(4);
    gateway.closeAllConnections();
    gateway.close();
  });

  test('nobody waits longer than they said', async () => {
    const panel = await startFakePanel({ latencyMs: 2_000 });
    await using server = await runningServer({ ...panelSettings(panel), server: { graceSeconds: 0 } });
    await expect(
      createClient({ baseUrl: server.url, timeoutMs: 300 }).moderations.create({ text: 'Look at them' }),
    ).rejects.toMatchObject({ code: 'client-timeout' });
    await panel.close();
  });
});
