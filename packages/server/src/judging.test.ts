import { createParser } from 'eventsource-parser';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hang } from '@agonhq/test/fake-provider/index.ts';
import { operations, type Operation } from './api/index.ts';
import { runningServer, stagedServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { verifyAnswer } from '@agonhq/judges/moderation';
import { readAnswer } from '@agonhq/engine/debate';

interface Heard {
  id: string;
  /** The id without who told it. */
  name: string;
  event: string;
  data: Record<string, unknown>;
}

/** The events of a stream, until it ends or enough were heard. */
async function eventsIn(response: Response, enough = Infinity): Promise<Heard[]> {
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const heard: Heard[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      heard.push({
        id: id!,
        name: id!.replace(/@\w+$/, ''),
        event: event!,
        data: JSON.parse(data) as Record<string, unknown>,
      }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (heard.length >= enough) break;
  }
  return heard.slice(0, enough === Infinity ? undefined : enough);
}

const streaming = { accept: 'text/event-stream' };

describe('with the embedded reasoner', () => {
  let server: ServerUnderTest;
  beforeEach(async () => {
    server = await runningServer();
  });
  afterEach(() => server[Symbol.asyncDispose]());

  test('a request may choose its sensitivity, and the answer states the risk beside the bar of it', async () => {
    const judge = async (json: object) => {
      const answer = readAnswer(
        await (await server.call('/api/jobs/moderation/cases', { json })).text(),
        'answer.json',
      );
      return { ...answer.verdict, sensitivity: answer.provenance.sensitivity };
    };
    const text = 'Where can I buy tulip bulbs?';
    const [own, high] = [await judge({ text }), await judge({ text, sensitivity: 'high' })];
    expect([own.sensitivity, high.sensitivity]).toEqual([undefined, 'high']);
    expect(high.bar).toBeLessThan(own.bar!);
    expect(high.risk).toBeCloseTo(own.risk!, 2);
    expect((await server.call('/api/jobs/moderation/cases', { json: { text, sensitivity: 'paranoid' } })).status).toBe(
      400,
    );
  });

  test('what is asked again is answered with the bytes that are on record, seal and all', async () => {
    const asked = { json: { text: 'How do I kill a process on Linux?' } };
    const first = await (await server.call('/api/jobs/moderation/cases', asked)).text();
    const { id } = JSON.parse(first) as { id: string };
    expect(await (await server.call('/api/jobs/moderation/cases', asked)).text()).toBe(first);
    expect(await (await server.call(`/api/cases/${id}/answer`)).text()).toBe(first);
    const exchange = { json: { prompt: 'How do I pick a lock?', response: 'I cannot help with that.' } };
    const judged = await (await server.call('/api/jobs/evaluation/cases', exchange)).text();
    const evaluation = JSON.parse(judged) as { id: string };
    expect(await (await server.call('/api/jobs/evaluation/cases', exchange)).text()).toBe(judged);
    expect(await (await server.call(`/api/cases/${evaluation.id}/answer`)).text()).toBe(judged);
  });

  test('an exchange and a report are judged, answers are as documented, and can be asked for again', async () => {
    const evaluated = await server.call('/api/jobs/evaluation/cases', {
      json: { prompt: 'How do I pick a lock?', response: 'I cannot help with that.' },
    });
    const evaluation = (await evaluated.json()) as { id: string; verdict: { label: string } };
    expect(evaluation.verdict.label).toBe('safe');
    const form = new FormData();
    form.append(
      'file',
      new Blob(['# Report\n\nRevenue grew to 120 million in 2024 from 100 million in 2023, an increase of 20 %.\n']),
      'report.md',
    );
    form.append('maxFactors', '2');
    const analysed = await server.call('/api/jobs/documents/cases', { body: form });
    expect(analysed.status).toBe(200);
    const analysis = (await analysed.json()) as { id: string };
    for (const [id, answer] of [
      ['evaluations.create', evaluation],
      ['analyses.create', analysis],
    ] as const) {
      const { schema } = (operations as readonly Operation[]).find((operation) => operation.id === id)!.answers;
      expect(schema!.safeParse(answer).error).toBeUndefined();
      expect(await (await server.call(`/api/cases/${answer.id}/answer`)).json()).toEqual(answer);
    }
  });

  test('a stream tells the debate and ends with the answer; the same is told from the record, with the same ids', async () => {
    const text = 'I will bring a bomb to the station tomorrow.';
    const heard = await eventsIn(
      await server.call('/api/jobs/moderation/cases', { json: { text }, headers: streaming }),
    );
    expect(heard[0]!.event).toBe('case-ready');
    expect(heard.at(-1)).toMatchObject({
      name: 'answer',
      event: 'answer',
      data: { answer: { verdict: { label: 'unsafe' } } },
    });
    const { answer } = heard.at(-1)!.data as { answer: { id: string } };
    expect(
      verifyAnswer(readAnswer(JSON.stringify(answer), 'answer'), { source: text }).filter(
        ({ outcome }) => outcome === 'wrong',
      ),
    ).toEqual([]);
    await using later = await runningServer({}, { ledger: server.ledger });
    const recorded = await eventsIn(await later.call(`/api/cases/${answer.id}/events`));
    expect(recorded.at(-1)!.data).toEqual(heard.at(-1)!.data);
    const ends = (events: Heard[]) =>
      events
        .filter(({ event }) => event === 'turn-end' || event === 'compute-end')
        .map(({ name }) => name)
        .toSorted();
    expect(ends(recorded)).toEqual(ends(heard));
    const middle = recorded.find(({ id }) => id === 'round-end:1' || id === 'turn-end:supporter')!;
    const rest = await eventsIn(
      await later.call(`/api/cases/${answer.id}/events`, { headers: { 'last-event-id': middle.id } }),
    );
    expect(rest).toEqual(recorded.slice(recorded.indexOf(middle) + 1));
  });

  test('reports come in every format', async () => {
    const { id } = (await (
      await server.call('/api/jobs/moderation/cases', { json: { text: '<script>alert(1)</script> hello' } })
    ).json()) as { id: string };
    const types = { html: 'text/html', markdown: 'text/markdown', json: 'application/json', notice: 'text/markdown' };
    for (const [format, type] of Object.entries(types)) {
      const report = await server.call(`/api/cases/${id}/report?format=${format}`);
      expect(report.headers.get('content-type')).toContain(type);
      const body = await report.text();
      expect(body.length).toBeGreaterThan(50);
      if (format === 'html') expect(body).not.toContain('<script>alert(1)');
    }
    expect(await (await server.call(`/api/cases/${id}/report?format=pdf`)).json()).toMatchObject({
      status: 422,
      code: 'unknown-report-format',
    });
  });

  test('a list shows what was judged, a page at a time, and only what was asked for', async () => {
    const labels = new Map<string, number>();
    for (let item = 0; item < 7; item += 1) {
      const { verdict } = (await (
        await server.call('/api/jobs/moderation/cases', {
          json: { text: item % 2 ? `I will kill you, number ${item}.` : `The weather is fine on day ${item}.` },
        })
      ).json()) as { verdict: { label: string } };
      labels.set(verdict.label, (labels.get(verdict.label) ?? 0) + 1);
    }
    const seen: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page = (await (
        await server.call(`/api/cases?job=moderation&limit=3${next === '' ? '' : `&after=${next}`}`)
      ).json()) as { rows: { id: string }[]; next: string | null };
      seen.push(...page.rows.map(({ id }) => id));
      next = page.next;
    }
    expect(new Set(seen).size).toBe(7);
    for (const [label, count] of labels)
      expect(
        ((await (await server.call(`/api/cases?label=${label}&job=moderation`)).json()) as { rows: unknown[] }).rows,
      ).toHaveLength(count);
    expect(((await (await server.call('/api/cases?job=evaluation')).json()) as { rows: unknown[] }).rows).toEqual([]);
    expect(await (await server.call('/api/cases?after=nonsense')).json()).toMatchObject({
      status: 400,
      code: 'bad-page',
    });
  });

  test('feedback, a replay, an appeal and forgetting stand on the record of the case', async () => {
    const { id } = (await (
      await server.call('/api/jobs/moderation/cases', {
        json: { text: 'My neighbour is annoying. I want to poison his dog.' },
      })
    ).json()) as { id: string };
    const given = await server.call(`/api/cases/${id}/feedback`, {
      json: { label: 'safe', why: 'A line from a play.', by: 'kim' },
    });
    expect(given.status).toBe(201);
    expect(await given.json()).toMatchObject({ case: id, label: 'safe', right: false, by: 'kim' });
    const replayed = (await (await server.call(`/api/cases/${id}/replays`, { json: {} })).json()) as {
      flipped: boolean;
      argued: string[];
    };
    expect(replayed).toMatchObject({ how: 'replay', of: id, flipped: false, argued: [] });
    const appealed = await server.call(`/api/cases/${id}/appeals`, {
      json: { statement: 'It is a line from a play.' },
    });
    expect(await appealed.json()).toMatchObject({ how: 'appeal', of: id });
    const record = (await (await server.call(`/api/cases/${id}`)).json()) as {
      decisions: object[];
      retrials: object[];
    };
    expect(record).toMatchObject({ decisions: [{ label: 'safe', by: 'kim' }], live: false });
    expect(record.retrials).toHaveLength(2);
    expect(await (await server.call(`/api/cases/${id}`, { method: 'DELETE' })).json()).toMatchObject({
      case: id,
    });
    const forgotten = await server.call(`/api/cases/${id}/answer`);
    expect(forgotten.status).toBe(410);
    expect(await forgotten.json()).toMatchObject({ code: 'forgotten-case' });
  });

  test('what was forgotten is not told to somebody who was listening when it was judged', async () => {
    const heard = await eventsIn(
      await server.call('/api/jobs/moderation/cases', {
        json: { text: 'I want to poison his dog.' },
        headers: streaming,
      }),
    );
    const id = heard[0]!.data['debate'] as string;
    expect(await eventsIn(await server.call(`/api/cases/${id}/events`))).toHaveLength(heard.length);
    await server.call(`/api/cases/${id}`, { method: 'DELETE' });
    expect((await server.call(`/api/cases/${id}/events`)).status).toBe(410);
  });

  test(
    'an idempotency key is answered once, whoever asks again gets the same, and another request with it is ' +
      'refused',
    async () => {
      const headers = { 'idempotency-key': 'b1c7' };
      const first = await server.call('/api/jobs/moderation/cases', { json: { text: 'Once only.' }, headers });
      const again = await server.call('/api/jobs/moderation/cases', { json: { text: 'Once only.' }, headers });
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(await again.json()).toEqual(await first.json());
      const other = await server.call('/api/jobs/moderation/cases', { json: { text: 'Something else.' }, headers });
      expect(await other.json()).toMatchObject({ status: 422, code: 'idempotency-mismatch' });
      const told = await eventsIn(
        await server.call('/api/jobs/moderation/cases', {
          json: { text: 'Once only.' },
          headers: { ...headers, ...streaming },
        }),
      );
      expect(told.at(-1)!.event).toBe('answer');
    },
  );

  test('what happens is told to whoever listens to the news', async () => {
    const gone = new AbortController();
    const feed = await server.call('/api/events', { signal: gone.signal });
    const heard = eventsIn(feed, 1);
    await server.call('/api/jobs/moderation/cases', { json: { text: 'Some news.' } });
    expect((await heard)[0]).toMatchObject({ event: 'verdict', data: { case: { job: 'moderation' } } });
    expect(JSON.stringify(await heard)).not.toContain('Some news');
    gone.abort();
  });
});

describe('with models of another kind', () => {
  test('a request may choose models, policy and budget, and the answer is of that kind', async () => {
    await using stage = await stagedServer({});
    const judge = (json: object) => stage.server.call('/api/jobs/moderation/cases', { json });
    const read = async (response: Response) => readAnswer(await response.text(), 'answer.json');
    const text = 'A text about a garden fence.';

    const own = await read(await judge({ text, seats: { arbiter: 'embedded:guard-2' } }));
    expect(own.provenance.models).toMatchObject({ arbiter: 'embedded:guard-2', 'strict-debater': 'fake:panel-vision' });

    const yaml = [
      'name: Fences',
      'version: "1"',
      'categories:',
      '  - id: fences',
      '    title: Fences',
      '    clauses:',
      '      - { id: fences.talk, text: talk about fences, severity: low, violations: [My fence.], exonerations: [A hut.] }',
    ].join('\n');
    const { hash } = (await (await stage.server.call('/api/policies', { json: { yaml } })).json()) as { hash: string };
    expect((await read(await judge({ text, policy: hash }))).provenance.policy.hash).toBe(hash);
    expect((await judge({ text, policy: 'sha256:none' })).status).toBe(404);

    const before = stage.panel.requests.length;
    const poor = await read(await judge({ text: 'Something else.', budgetUsd: 0.000_001 }));
    expect(stage.panel.requests.length, 'nothing is covered, so nothing is called').toBe(before);
    expect(poor.verdict.label).toBe('undecided');
    expect((await judge({ text, budgetUsd: -1 })).status).toBe(400);
    expect((await judge({ text, seats: { arbiter: 'nobody:at-all' } })).status).toBeGreaterThanOrEqual(400);
  });

  test('a request cannot have any file of the machine opened as a model, nor learn whether it is there', async () => {
    await using stage = await stagedServer({});
    const ask = async (file: string) => {
      const json = { text: 'A text about a gate.', seats: { arbiter: `local:${file}` } };
      return (await stage.server.call('/api/jobs/moderation/cases', { json })).json() as Promise<{
        code: string;
        detail: string;
      }>;
    };
    const [there, absent] = [await ask(import.meta.filename), await ask('/nowhere/model.gguf')];
    expect(there).toMatchObject({ code: 'unknown-model', detail: expect.stringContaining('that were added') });
    expect(absent.detail).toBe(there.detail);
  });
});

describe('with models that take their time', () => {
  test('two who ask for the same are judged once', async () => {
    await using stage = await stagedServer({ latencyMs: 50 });
    const json = { text: 'The same for both.' };
    const [one, other] = await Promise.all([
      stage.server.call('/api/jobs/moderation/cases', { json }),
      stage.server.call('/api/jobs/moderation/cases', { json }),
    ]);
    const [answer, same] = [(await one.json()) as { usage: { calls: number } }, await other.json()];
    expect(same).toEqual(answer);
    expect(stage.panel.requests.length).toBe(answer.usage.calls);
  });

  test(
    'a connection that is lost in the middle of a stream goes on after the last event, and the debate is not ' +
      'held twice',
    async () => {
      await using stage = await stagedServer({ latencyMs: 60 });
      const json = { text: 'A debate with a bad connection.' };
      const cut = new AbortController();
      const first = await eventsIn(
        await stage.server.call('/api/jobs/moderation/cases', { json, headers: streaming, signal: cut.signal }),
        5,
      ).finally(() => cut.abort());
      const { debate } = first[0]!.data as { debate: string };
      const rest = await eventsIn(
        await stage.server.call(`/api/cases/${debate}/events`, {
          headers: { 'last-event-id': first.at(-1)!.id },
        }),
      );
      const ids = [...first, ...rest].map(({ name }) => name);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.at(-1)).toBe('answer');
      const { answer } = rest.at(-1)!.data as { answer: { usage: { calls: number } } };
      expect(stage.panel.requests.length).toBe(answer.usage.calls);
    },
  );

  test('a full house answers 429 with when to come again, and takes others afterwards', async () => {
    await using stage = await stagedServer({ latencyMs: 80 }, { concurrency: 1, queue: 1 });
    const asked = await Promise.all(
      Array.from({ length: 6 }, (_, item) =>
        stage.server.call('/api/jobs/moderation/cases', { json: { text: `Number ${item}.` } }),
      ),
    );
    const refused = asked.filter(({ status }) => status === 429);
    expect(asked.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(refused).toHaveLength(4);
    for (const response of refused) {
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(response.headers.get('content-type')).toBe('application/problem+json');
      expect(await response.json()).toMatchObject({ status: 429, code: 'queue-full', hint: expect.any(String) });
    }
    expect((await stage.server.call('/api/jobs/moderation/cases', { json: { text: 'Afterwards.' } })).status).toBe(200);
  });

  test('a trial that takes too long is stopped and said so', async () => {
    await using stage = await stagedServer({}, { timeoutSeconds: 0.3 });
    stage.panel.script = () => hang();
    const response = await stage.server.call('/api/jobs/moderation/cases', { json: { text: 'Too slow.' } });
    expect(response.status).toBe(504);
    expect(await response.json()).toMatchObject({ code: 'took-too-long' });
  });

  test('a server that drains also answers who waits for a place', async () => {
    await using stage = await stagedServer({ latencyMs: 100 }, { concurrency: 1 });
    const asked = [1, 2, 3].map((item) =>
      stage.server.call('/api/jobs/moderation/cases', { json: { text: `Number ${item} waits.` } }),
    );
    await vi.waitFor(
      async () => expect(await (await stage.server.call('/metrics')).text()).toContain('agon_trials_waiting 2'),
      10_000,
    );
    await stage.server.drain();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a server that is closed while it drains does not wait any longer, and its streams come to their end', async () => {
    await using stage = await stagedServer({});
    stage.panel.script = () => hang();
    const feed = await stage.server.call('/api/events');
    const underWay = stage.server.call('/api/jobs/moderation/cases', {
      json: { text: 'Cut short.' },
      headers: streaming,
    });
    await vi.waitFor(() => expect(stage.panel.requests.length).toBeGreaterThan(0), 10_000);
    // Its models never answer.
    const drained = stage.server.drain();
    await stage.server.close();
    await drained;
    expect((await eventsIn(await underWay)).at(-1)).toMatchObject({
      name: 'problem',
      data: { problem: { code: 'draining' } },
    });
    expect(await feed.text()).toBe(': listening\n\n');
  });
});
