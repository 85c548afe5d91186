import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { ownJobs } from '@agonhq/core/own-jobs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';
import { until } from '@agonhq/test/support/until.ts';
import { openLedger, type Ledger, type RunRow } from '@agonhq/ledger';
import { workForFleet } from '@agonhq/core/runs';
import { openReviewLeases, type ReviewLeases } from './queue/review-leases.ts';

/* Two servers on one ledger of PostgreSQL, as behind a balancer. */

const closers: (() => PromiseLike<unknown>)[] = [];
let postgres: PostgresServer;
let one: ServerUnderTest;
let other: ServerUnderTest;

beforeAll(async () => {
  postgres = await startPostgres();
  const url = await postgres.newLedger();
  const ledgers: Ledger[] = [await openLedger({ url }), await openLedger({ url })];
  [one, other] = [await runningServer({}, { ledger: ledgers[0]! }), await runningServer({}, { ledger: ledgers[1]! })];
  closers.push(
    ...[one, other].map((server) => () => server[Symbol.asyncDispose]()),
    ...ledgers.map((ledger) => () => ledger.close()),
    () => postgres.stop(),
  );
}, 60_000);

afterAll(async () => {
  for (const close of closers) await close();
});

test('what one has judged the other answers for, with its events', async () => {
  const judged = (await (
    await one.call('/api/jobs/moderation/cases', { json: { text: 'Two doors to one house.' } })
  ).json()) as {
    id: string;
  };
  expect(await (await other.call(`/api/cases/${judged.id}/answer`)).json()).toEqual(judged);
  expect(await (await other.call(`/api/cases/${judged.id}/events`)).text()).toContain('event: answer');
  const again = (await (
    await other.call('/api/jobs/moderation/cases', { json: { text: 'Two doors to one house.' } })
  ).json()) as { id: string };
  expect(again.id).toBe(judged.id);
});

test('an idempotency key that one was given, the other knows', async () => {
  const headers = { 'idempotency-key': 'one-for-both' };
  const first = await one.call('/api/jobs/moderation/cases', {
    json: { text: 'Asked at one door, then at the other.' },
    headers,
  });
  const second = await other.call('/api/jobs/moderation/cases', {
    json: { text: 'Asked at one door, then at the other.' },
    headers,
  });
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await second.json()).toEqual(await first.json());
});

test('a run whose request was cut after it was made is not made again by the other', async () => {
  const headers = { 'idempotency-key': 'made-once' };
  const ask = (server: ServerUnderTest) =>
    server.call('/api/runs', {
      method: 'POST',
      headers,
      body: formOf({ job: 'moderation', method: 'guard' }, [
        { name: 'items.jsonl', content: jsonLines([{ id: 'once', text: 'Asked for twice, judged once.' }]) },
      ]),
    });
  const { settleKey } = one.ledger.idempotency;
  // As if the server had ended here: nobody is told, and the claim lapses.
  one.ledger.idempotency.settleKey = () => Promise.reject(new Error('The machine was switched off.'));
  expect((await ask(one)).status).toBe(500);
  one.ledger.idempotency.settleKey = settleKey;
  let response = await ask(other);
  await until(async () => {
    if (response.status === 409) response = await ask(other);
    return response.status !== 409;
  });
  const run = await as('runs.create', response);
  await runEvents(other, run.id);
  const { rows } = await as('runs.list', await other.call('/api/runs'));
  expect(rows.map(({ id }) => id)).toEqual([run.id]);
});

test('a run that could not be taken up as its server began is taken up when the trouble has passed', async () => {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-trouble-'));
  const ledger = await openLedger({ url: await postgres.newLedger() });
  onTestFinished(async () => {
    await ledger.close();
    await rm(home, { recursive: true, force: true });
  });
  const environment = { AGON_HOME: home };
  const content = jsonLines([{ id: 'left', text: 'Sent before the lights went out.' }]);
  const body = formOf({ job: 'moderation', method: 'guard' }, [{ name: 'items.jsonl', content }]);
  let plan: Pick<RunRow, 'settings' | 'configuration'>;
  {
    await using first = await runningServer({}, { ledger, environment });
    const { id } = await as('runs.create', await first.call('/api/runs', { method: 'POST', body }));
    await runEvents(first, id);
    plan = (await ledger.runs.findRun(id))!;
  }
  // As if the server had ended before it read the input.
  const folder = path.join(home, 'server', 'runs', 'run-left');
  await mkdir(folder);
  const input = path.join(folder, 'items.jsonl');
  await writeFile(input, content);
  const { settings, configuration } = plan;
  await ledger.runs.startRun({ id: 'run-left', name: null, job: 'moderation', configuration, settings, input });
  let troubles = 2;
  const troubled: Ledger = {
    ...ledger,
    runs: {
      ...ledger.runs,
      async findRun(id) {
        if (id === 'run-left' && (troubles -= 1) >= 0) throw new Error('No luck today.');
        return ledger.runs.findRun(id);
      },
    },
  };
  await using second = await runningServer({}, { ledger: troubled, environment });
  await until(async () => (await ledger.runs.findRun('run-left'))?.state === 'finished', 30);
  expect(second.log).toContainEqual(expect.objectContaining({ event: 'run', run: 'run-left', code: 'Error' }));
});

test('whoever signed in at one is known to the other', async () => {
  const made = (await (await one.call('/api/keys', { json: { name: 'both desks', scopes: ['read'] } })).json()) as {
    id: string;
    key: string;
  };
  const signedIn = await one.call('/api/session', { json: { key: made.key } });
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  expect(await (await other.call('/api/self', { headers: { cookie } })).json()).toMatchObject({ key: { id: made.id } });
});

test('whoever signs out at one is out at the other', async () => {
  const made = (await (await one.call('/api/keys', { json: { name: 'leaving', scopes: ['read'] } })).json()) as {
    key: string;
  };
  const signedIn = await one.call('/api/session', { json: { key: made.key } });
  const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
  const isKnown = async (server: ServerUnderTest) =>
    ((await (await server.call('/api/self', { headers })).json()) as { key: unknown }).key !== null;
  expect(await isKnown(other)).toBe(true);
  await one.call('/api/session', { method: 'DELETE', headers: { ...headers, origin: one.url } });
  expect(await isKnown(one)).toBe(false);
  await until(async () => !(await isKnown(other)), 8);
});

test('a case that somebody looks at by one is held to those at the other', async () => {
  const [here, there] = [one, other].map(({ ledger }) => openReviewLeases(ledger)) as [ReviewLeases, ReviewLeases];
  await here.take('mod-0123456789abcdef', 'ann');
  await expect(there.take('mod-0123456789abcdef', 'bob')).rejects.toMatchObject({ code: 'held-case' });
  expect(await there.findOther('mod-0123456789abcdef', 'bob')).toMatchObject({ by: 'ann' });
  await here.release('mod-0123456789abcdef', 'ann');
  expect(await there.take('mod-0123456789abcdef', 'bob')).toMatchObject({ by: 'bob' });
});

test('a limit of requests is that of all together', async () => {
  const settings = { server: { auth: 'required' as const, ratePerMinute: 40 } };
  await using here = await runningServer(settings, { ledger: one.ledger });
  await using there = await runningServer(settings, { ledger: other.ledger });
  const made = (await (await one.call('/api/keys', { json: { name: 'forty', scopes: ['read'] } })).json()) as {
    key: string;
  };
  const headers = { authorization: `Bearer ${made.key}` };
  const began = performance.now();
  const statuses: number[] = [];
  for (let number = 0; number < 90 || !statuses.includes(429); number += 1)
    statuses.push((await (number % 2 ? here : there).call('/api/self', { headers })).status);
  const taken = statuses.filter((status) => status === 200).length;
  const cameBack = Math.ceil((40 * (performance.now() - began)) / 60_000);
  expect(taken).toBeGreaterThanOrEqual(40);
  expect(taken).toBeLessThanOrEqual(42 + cameBack);
});

test('a debate that one holds can be watched at the other, to its end', async () => {
  const panel = await startFakePanel({ latencyMs: 400 });
  onTestFinished(() => panel.close());
  await using here = await runningServer(panelSettings(panel), { ledger: one.ledger });
  const begun = await here.call('/api/jobs/moderation/cases', {
    json: { text: 'A debate that takes its time.' },
    headers: { accept: 'text/event-stream' },
  });
  let id = '';
  let told = '';
  const reading = (async () => {
    for await (const part of begun.body!) {
      told += Buffer.from(part as Uint8Array).toString();
      id ||= /"debate":"(mod-[0-9a-f]+)"/.exec(told)?.[1] ?? '';
    }
  })();
  await until(() => id !== '');
  let watching = await other.call(`/api/cases/${id}/events`);
  // Its first entry may not be on record yet.
  await until(async () => {
    if (watching.status !== 200) watching = await other.call(`/api/cases/${id}/events`);
    return watching.status === 200;
  });
  expect(told).not.toContain('event: answer');
  const watched = await watching.text();
  await reading;
  const endsOf = (text: string) => [...text.matchAll(/^id: (turn-end:[^@\n]+)/gm)].map(([, name]) => name!).toSorted();
  expect(endsOf(watched)).toEqual(endsOf(told));
  expect(endsOf(watched).length).toBeGreaterThan(2);
  expect(watched).toContain('event: answer');
}, 30_000);

test('a key that one made opens the other, until one revokes it', async () => {
  const made = (await (await one.call('/api/keys', { json: { name: 'both doors', scopes: ['read'] } })).json()) as {
    id: string;
    key: string;
  };
  const headers = { authorization: `Bearer ${made.key}` };
  expect((await other.call('/api/cases', { headers })).status).toBe(200);
  await one.call(`/api/keys/${made.id}`, { method: 'DELETE' });
  await until(async () => (await other.call('/api/cases', { headers })).status === 401, 8);
});

test('a policy that one puts in force, the other judges by within seconds', async () => {
  const yaml = (await (await one.call('/api/policies/active?format=yaml')).text()).replace(
    /^version: .*$/m,
    'version: "99"',
  );
  const { hash } = (await (await one.call('/api/policies', { json: { yaml } })).json()) as { hash: string };
  expect((await one.call(`/api/policies/${hash}/activation`, { method: 'PUT' })).status).toBe(200);
  let asked = 0;
  await until(async () => {
    const answer = (await (
      await other.call('/api/jobs/moderation/cases', { json: { text: `Under which policy, number ${(asked += 1)}?` } })
    ).json()) as { provenance: { policy: { hash: string } } };
    return answer.provenance.policy.hash === hash;
  }, 8);
});

test(
  'a run that one was sent, with images by name, is worked on with workers elsewhere, each item once, and ' +
    'given out whole by either',
  async () => {
    const blue = await sharp({ create: { width: 64, height: 64, channels: 3, background: { r: 200, g: 220, b: 240 } } })
      .png()
      .toBuffer();
    const items = Array.from({ length: 40 }, (_, number) => ({
      id: `item-${number}`,
      text: `A note about gardens, number ${number}.`,
      ...(number % 8 === 0 ? { image: 'blue.png' } : {}),
    }));
    const stop = new AbortController();
    const worker = await workForFleet({
      jobs: ownJobs,
      ledger: other.ledger,
      own: {},
      environment: { AGON_HOME: other.home },
      concurrency: 2,
      drain: stop.signal,
      signal: new AbortController().signal,
    });

    const run = await as(
      'runs.create',
      await one.call('/api/runs', {
        method: 'POST',
        body: formOf({ job: 'moderation', concurrency: '2' }, [
          { name: 'items.jsonl', content: jsonLines(items) },
          { name: 'blue.png', content: new Uint8Array(blue) },
        ]),
      }),
    );
    const [here, there] = await Promise.all(
      [one, other].map(async (server) => (await runEvents(server, run.id)).at(-1)),
    );
    const { judged, failed } = worker.status();
    stop.abort();
    await worker.ended;
    for (const end of [here, there])
      expect(end).toMatchObject({ type: 'end', data: { state: 'finished', total: 40, done: 40, failed: 0 } });
    expect(judged).toBeGreaterThan(0);
    expect(failed).toBe(0);

    const { rows } = await as('runs.items', await other.call(`/api/runs/${run.id}/items?limit=200`));
    expect(rows.map(({ key, attempts }) => [key, attempts])).toEqual(items.map(({ id }) => [id, 0]));
    expect(new Set(rows.map(({ result }) => result!.case)).size).toBe(40);
    const [mine, theirs] = await Promise.all(
      [one, other].map(async (server) => (await server.call(`/api/runs/${run.id}/export`)).text()),
    );
    expect(theirs).toBe(mine);
    expect(mine!.trim().split('\n')).toHaveLength(40);
  },
  60_000,
);

/** One judge who takes his time, and settings that wait for him: an answer that comes too late is asked for again. */
async function startSlowJudge(latencyMs: number) {
  const panel = await startFakePanel({ latencyMs });
  onTestFinished(() => panel.close());
  const panels = panelSettings(panel);
  const defaults = { ...panels.defaults, timeoutMs: 20_000 };
  return { panel, settings: { ...panels, defaults, moderation: { method: 'judge' as const } } };
}

test('a run that a server leaves when it is stopped, another goes on with, and nothing is broken off', async () => {
  const { panel, settings } = await startSlowJudge(2_500);
  // Of their own: whoever takes over a run must reach its models.
  const url = await postgres.newLedger();
  const ledgers = [await openLedger({ url }), await openLedger({ url })] as const;
  onTestFinished(async () => void (await Promise.all(ledgers.map((ledger) => ledger.close()))));
  const here = await runningServer(settings, { ledger: ledgers[0] });
  await using there = await runningServer(settings, { ledger: ledgers[1] });
  const stop = new AbortController();
  const worker = await workForFleet({
    jobs: ownJobs,
    ledger: ledgers[1],
    own: settings,
    environment: { AGON_HOME: there.home },
    concurrency: 2,
    drain: stop.signal,
    signal: new AbortController().signal,
  });
  const items = Array.from({ length: 20 }, (_, number) => ({ id: `item-${number}`, text: `Left behind, ${number}.` }));
  const run = await as(
    'runs.create',
    await here.call('/api/runs', {
      method: 'POST',
      body: formOf({ job: 'moderation', concurrency: '4' }, [{ name: 'items.jsonl', content: jsonLines(items) }]),
    }),
  );
  await until(() => panel.requests.length >= 6);
  await here.drain();
  await here[Symbol.asyncDispose]();
  expect((await as('runs.get', await there.call(`/api/runs/${run.id}`))).state).not.toBe('finished');
  await until(async () => (await as('runs.get', await there.call(`/api/runs/${run.id}`))).state === 'finished', 40);
  expect((await runEvents(there, run.id)).at(-1)).toMatchObject({
    type: 'end',
    data: { state: 'finished', total: 20, done: 20, failed: 0 },
  });
  stop.abort();
  await worker.ended;
  // What the server and the worker had in hand was judged to its end: no model was asked anything twice.
  expect(panel.requests).toHaveLength(20);
}, 60_000);

test('what a server and a worker have in hand of a run that is stopped from elsewhere is judged to its end', async () => {
  const { panel, settings } = await startSlowJudge(4_000);
  const ledger = await openLedger({ url: await postgres.newLedger() });
  onTestFinished(() => ledger.close());
  await using server = await runningServer(settings, { ledger });
  const stop = new AbortController();
  const worker = await workForFleet({
    jobs: ownJobs,
    ledger,
    own: settings,
    environment: { AGON_HOME: server.home },
    concurrency: 2,
    drain: stop.signal,
    signal: new AbortController().signal,
  });
  const items = Array.from({ length: 9 }, (_, number) => ({ id: `item-${number}`, text: `In hand, ${number}.` }));
  const body = formOf({ job: 'moderation', concurrency: '2' }, [{ name: 'items.jsonl', content: jsonLines(items) }]);
  const run = await as('runs.create', await server.call('/api/runs', { method: 'POST', body }));
  await until(() => panel.requests.length >= 4, 30);
  await ledger.runs.endRun(run.id, 'stopped', 'Somebody wanted to have a look.');
  await until(async () => (await ledger.runs.countItems(run.id)).running === 0, 20);
  const { done, waiting, failed } = await ledger.runs.countItems(run.id);
  expect({ left: done + waiting, failed }).toEqual({ left: 9, failed: 0 });
  expect(waiting).toBeGreaterThan(0);
  expect(panel.requests).toHaveLength(done);
  stop.abort();
  await worker.ended;
}, 60_000);

test('runs are listed alike by both, page by page', async () => {
  const file = { name: 'items.jsonl', content: jsonLines([{ id: 'a', text: 'One more run.' }]) };
  for (const server of [one, other, one])
    await runEvents(
      server,
      (
        await as(
          'runs.create',
          await server.call('/api/runs', { method: 'POST', body: formOf({ job: 'moderation' }, [file]) }),
        )
      ).id,
    );
  const all = await as('runs.list', await one.call('/api/runs?limit=200'));
  const paged: string[] = [];
  for (let next: string | null = ''; next !== null;) {
    const page: { rows: { id: string }[]; next: string | null } = await as(
      'runs.list',
      await other.call(`/api/runs?limit=2${next === '' ? '' : `&after=${encodeURIComponent(next)}`}`),
    );
    paged.push(...page.rows.map(({ id }) => id));
    ({ next } = page);
  }
  expect(paged).toEqual(all.rows.map(({ id }) => id));
  expect(paged.length).toBeGreaterThanOrEqual(3);
}, 60_000);
