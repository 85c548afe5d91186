import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  allOperations,
  ask,
  describedAs,
  expectDocumented,
  expectProblem,
  typeOf,
  type Given,
} from '@agonhq/test/support/contract/ask.ts';
import { analysisForm, furnish, goodRequests, type Furnished } from '@agonhq/test/support/contract/good-requests.ts';
import { spoiltObject, spoiltText, type JsonSchema } from '@agonhq/test/support/contract/spoilt.ts';
import { readingJob } from '@agonhq/test/support/reading-job.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { createJobs } from '@agonhq/judges/job';
import { ownJobs } from '@agonhq/core/own-jobs';
import { isWhole, sampleCases } from '@agonhq/test/support/slow.ts';
import { openOutbound } from './outbound/outbound.ts';
import type { Operation } from './api/index.ts';

/* Walks the OpenAPI document: every operation answers as documented, whatever it is asked. */

/** How much bad input each operation gets; AGON_CONTRACT_RUNS=100 for a longer look. */
const runs = Number(process.env['AGON_CONTRACT_RUNS'] ?? (isWhole ? 5 : 1));
const seed = Number(process.env['AGON_CONTRACT_SEED'] ?? 9);

let server: ServerUnderTest;
let at: Furnished;
let good: Record<string, () => Given | Promise<Given>>;

beforeAll(async () => {
  const outbound = openOutbound(
    { fetch: { webhooks: true } },
    { resolve: async () => [{ address: '93.184.215.14', family: 4 }] },
  );
  server = await runningServer(
    { server: { fetch: { webhooks: true } } },
    {
      jobs: createJobs([...ownJobs.list(), readingJob]),
      outbound: { ...outbound, postWebhook: async () => ({ status: 204, retryAfter: null }) },
    },
  );
  at = await furnish(server);
  good = goodRequests(at, server);
}, 120_000);
afterAll(() => server?.[Symbol.asyncDispose]());

const named = (pick: (operation: Operation) => boolean = () => true) =>
  allOperations.filter(pick).map((operation) => [operation.id, operation] as const);

describe('a good request is answered as documented', () => {
  test.each(named())('%s', async (id, operation) => {
    await expectGoodAnswer(operation, await good[id]!());
  });

  test.each(['moderation', 'evaluation', 'documents', 'reading'])(
    'a case of %s is asked for in the same way as any other',
    async (job) => {
      const asked = {
        moderation: { json: { text: 'To be asked for' } },
        evaluation: { json: { prompt: 'To be asked for', response: 'I will answer.' } },
        documents: { body: analysisForm('Costs fell to 10 million in 2024 from 20 million in 2023.') },
        reading: { json: { text: 'To be asked for' } },
      }[job];
      const { id } = (await (await server.call(`/api/jobs/${job}/cases`, asked)).json()) as { id: string };
      for (const verb of ['get', 'answer', 'events', 'report', 'replay', 'appeal', 'forget']) {
        const operation = allOperations.find((one) => one.id === `cases.${verb}`)!;
        await expectGoodAnswer(operation, { params: { id }, ...(operation.body ? { json: {} } : {}) });
      }
    },
  );

  test.each(named(({ events, onlyEvents }) => events !== undefined && onlyEvents !== true))(
    '%s, as events',
    async (id, operation) => {
      const { headers: _, ...given } = await good[id]!();
      const response = await ask(server, operation, { ...given, headers: { accept: 'text/event-stream' } });
      expect(typeOf(response)).toBe('text/event-stream');
      const events = eventsIn(await response.text()) as { type: string }[];
      for (const event of events) operation.events!.parse(event);
      expect(['answer', 'report'], JSON.stringify(events.at(-1)).slice(0, 300)).toContain(events.at(-1)!.type);
    },
  );

  test('the same page says where the next one starts, and it does', async () => {
    const list = allOperations.find(({ id }) => id === 'cases.list')!;
    const seen = new Set<string>();
    for (let after: string | null = null, pages = 0; pages < 50; pages += 1) {
      const page = (await (
        await ask(server, list, { query: { limit: '2', ...(after === null ? {} : { after }) } })
      ).json()) as { rows: { id: string }[]; next: string | null };
      for (const { id } of page.rows) expect(seen.has(id)).toBe(false);
      for (const { id } of page.rows) seen.add(id);
      after = page.next;
      if (after === null) break;
    }
    expect(seen.size).toBeGreaterThan(5);
  });
});

describe('bad input is a problem with a code and a hint', () => {
  test.each(named(({ body, upload }) => body !== undefined && upload === undefined))(
    'in the body of %s',
    async (id, operation) => {
      const { json, ...given } = await good[id]!();
      const schema = z.toJSONSchema(operation.body!, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
      await fc.assert(
        fc.asyncProperty(spoiltObject((json ?? {}) as Record<string, unknown>, schema), async (body) => {
          const written = JSON.stringify(body) as string | undefined;
          if (written === undefined) return;
          const response = await ask(server, operation, { ...given, headers: {}, json: written });
          if (operation.body!.safeParse(JSON.parse(written)).success)
            return answersSomehow(operation, response, written);
          expect(await expectProblem(response, `${id} ${written.slice(0, 300)}`)).toMatchObject({
            status: 400,
            code: 'bad-request',
          });
        }),
        { numRuns: runs, seed },
      );
    },
  );

  test.each(named(({ query }) => query !== undefined))('in the query of %s', async (id, operation) => {
    const { params, json, form } = await good[id]!();
    const names = Object.keys(operation.query!.shape);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names, 'unknown', '__proto__'), spoiltText, async (name, text) => {
        const query = { [name]: text.toWellFormed() };
        const response = await ask(server, operation, { params, json, form, query });
        if (operation.query!.safeParse(Object.fromEntries(new URLSearchParams(query))).success)
          return answersSomehow(operation, response, `${name}=${text}`);
        expect(await expectProblem(response, `${id}?${name}=${text.slice(0, 100)}`)).toMatchObject({ status: 400 });
      }),
      { numRuns: runs * 2, seed },
    );
    const twice = await fetch(
      `${server.url}${operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params?.[name] ?? '')}?limit=1&limit=2`,
      { method: operation.method.toUpperCase() },
    );
    expect(await expectProblem(twice, `${id} with a query twice`)).toMatchObject({ status: 400 });
  });

  test.each(named(({ params }) => params !== undefined))('in the path of %s', async (id, operation) => {
    const { params, json, form, headers } = await good[id]!();
    for (const name of Object.keys(params!)) {
      for (const hostile of sampleCases(
        [
          'nothing-has-this-id',
          '..',
          '.',
          '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
          '\u0000',
          'x'.repeat(201),
          'x'.repeat(4000),
          "'; drop table cases; --",
          '__proto__',
          'constructor',
          '🙂',
          ' ',
          'sha256:',
          '%',
        ],
        2,
      )) {
        if (hostile === '.' || hostile === '..') continue; // Clients take these away before they ask: see below.
        const response = await ask(server, operation, { params: { ...params, [name]: hostile }, json, form, headers });
        const problem = await expectProblem(response, `${id} with ${name}=${hostile.slice(0, 50)}`);
        expect([400, 404], `${id} with ${name}=${hostile.slice(0, 50)}: ${problem.code}`).toContain(problem.status);
      }
    }
  });

  test.each(named(({ body, upload }) => body !== undefined && upload === undefined))(
    'a body that is no JSON, to %s',
    async (id, operation) => {
      const { params } = await good[id]!();
      for (const [json, status] of [
        ['{', 400],
        ['{"a":1}}', 400],
        ["{'text':'a'}", 400],
        ['NaN', 400],
        ['{"a":1e99999}', 400],
        ['\ufeff', 400],
        [`${'['.repeat(10_000)}${']'.repeat(10_000)}`, 400],
        [`${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400],
      ] as const) {
        expect(
          await expectProblem(await ask(server, operation, { params, json }), `${id} ${json.slice(0, 20)}`),
        ).toMatchObject({ status });
      }
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/jsonp',
        '',
      ]) {
        const response = await ask(server, operation, {
          params,
          json: '{"text":"a"}',
          headers: { 'content-type': type },
        });
        expect(await expectProblem(response, `${id} as ${type}`)).toMatchObject({
          status: 415,
          code: 'wrong-media-type',
        });
      }
    },
  );

  test.each(named(({ upload }) => upload !== undefined))('in the form of %s', async (id, operation) => {
    const { form: whole } = await good[id]!();
    const spoil = async (change: (form: FormData) => void) => {
      const form = new FormData();
      for (const [name, value] of whole!) form.append(name, value);
      change(form);
      return expectProblem(await ask(server, operation, { form }), id);
    };
    expect(await spoil((form) => form.delete('file'))).toMatchObject({ status: 400 });
    expect(await spoil((form) => form.append('unknown', 'x'))).toMatchObject({ status: 400 });
    expect(await spoil((form) => form.append('__proto__', '{"polluted":true}'))).toMatchObject({ status: 400 });
    expect(await spoil((form) => form.append('other', new File(['x'], 'x.txt')))).toMatchObject({ status: 400 });
    expect(await spoil((form) => form.append('file', 'this is no file'))).toMatchObject({ status: 400 });
    expect(await expectProblem(await ask(server, operation, { json: {} }), id)).toMatchObject({ status: 415 });
    for (const body of [
      '',
      '--x',
      '--x\r\n\r\n',
      'garbage',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
    ]) {
      const response = await ask(server, operation, {
        json: body,
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      });
      expect(await expectProblem(response, `${id} ${JSON.stringify(body)}`)).toMatchObject({ status: 400 });
    }
    expect(
      await expectProblem(
        await ask(server, operation, { json: 'x', headers: { 'content-type': 'multipart/form-data' } }),
        id,
      ),
    ).toMatchObject({ status: 400 });
  });

  test.each(named(({ idempotent, upload }) => idempotent === true && upload === undefined))(
    'an Idempotency-Key that is none, to %s',
    async (id, operation) => {
      for (const key of ['x'.repeat(256), 'with space', 'é']) {
        const given = await good[id]!();
        expect(
          await expectProblem(
            await ask(server, operation, { ...given, headers: { 'idempotency-key': key } }),
            `${id} ${key.slice(0, 20)}`,
          ),
        ).toMatchObject({ status: 400 });
      }
    },
  );

  test('a method that an address does not answer', async () => {
    for (const path of Object.keys(Object.fromEntries(allOperations.map((operation) => [operation.path, operation])))) {
      const known = new Set(
        allOperations.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase()),
      );
      const where = path.replace(/\{\w+\}/g, 'abc');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((each) => !known.has(each))) {
        const response = await server.call(where, { method });
        const problem = await expectProblem(response, `${method} ${path}`);
        // `/api/precedents/search` may be read as a precedent of that name.
        expect(
          path === '/api/precedents/search' ? [404, 405, 415] : [405],
          `${method} ${path}: ${problem.code}`,
        ).toContain(problem.status);
      }
    }
  });
});

test('after all that, the server still judges', async () => {
  const response = await server.call('/api/jobs/moderation/cases', {
    json: { text: 'I will bring a bomb to the station tomorrow, and nobody will stop me.' },
  });
  expect(((await response.json()) as { verdict: { label: string } }).verdict.label).toBe('unsafe');
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

async function expectGoodAnswer(operation: Operation, given: Given): Promise<void> {
  const response = await ask(server, operation, given);
  const { status, schema, media } = operation.answers;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  expect(response.status).toBe(status);
  expectDocumented(operation, response);
  if (operation.onlyEvents) {
    expect(typeOf(response)).toBe('text/event-stream');
    if (operation.id !== 'house.news')
      for (const event of eventsIn(await response.text())) operation.events!.parse(event);
    else await response.body!.cancel();
  } else if (schema && typeOf(response) === 'application/json') {
    const body: unknown = await response.json();
    // What the schema does not name would be missing from what it reads.
    expect(schema.parse(body)).toEqual(body);
  } else {
    const bytes = await response.arrayBuffer();
    expect(bytes.byteLength > 0).toBe(media !== undefined);
  }
}

/** Well, or with a problem: in a way that the document names. */
async function answersSomehow(operation: Operation, response: Response, about: string): Promise<void> {
  if (response.ok) return response.body?.cancel();
  await expectProblem(response, `${operation.id} ${about.slice(0, 200)}`);
  expect(
    Object.keys(describedAs(operation).responses),
    `${operation.id} answered ${response.status} to ${about.slice(0, 200)}`,
  ).toContain(String(response.status));
}

function eventsIn(stream: string): unknown[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as unknown);
}
