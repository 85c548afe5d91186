import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FakeProvider } from '../fake-provider/index.ts';
import { panelSettings, startFakePanel } from '../support/fake-panel.ts';
import { heardEvents, type HeardEvent } from '../support/heard-events.ts';
import { startPostgres } from '../support/postgres.ts';
import { postJson, startServing } from '../support/served.ts';
import { as, formOf, jsonLines } from '../support/server-runs.ts';
import { until } from '../support/until.ts';

/* Two processes of `agon serve` on one PostgreSQL: what one does, the other knows. */

const perMinute = 600;
const atOnce = 4;

const closers: (() => PromiseLike<unknown>)[] = [];
let panel: FakeProvider;
let one: string;
let other: string;

beforeAll(async () => {
  const postgres = await startPostgres();
  closers.unshift(() => postgres.stop());
  const home = await mkdtemp(path.join(tmpdir(), 'agon-two-'));
  closers.unshift(() => rm(home, { recursive: true, force: true }));
  panel = await startFakePanel({ latencyMs: 40 });
  closers.unshift(() => panel.close());
  const settings = panelSettings(panel);
  const [model] = Object.keys(settings.models) as [keyof typeof settings.models];
  await writeFile(
    path.join(home, 'agon.config.json'),
    JSON.stringify({
      ...settings,
      providers: { fake: { ...settings.providers.fake, apiKey: 'of-both' } },
      models: { [model]: { ...settings.models[model], requestsPerMinute: perMinute, concurrency: atOnce } },
      defaults: { retries: 0, timeoutMs: 20_000 },
    }),
  );
  const environment = { AGON_DATABASE_URL: await postgres.newLedger() };
  const servers = [startServing(home, ['--concurrency', '32'], environment)];
  [one] = [await servers[0]!.url];
  servers.push(startServing(home, ['--concurrency', '32'], environment));
  other = await servers[1]!.url;
  closers.unshift(...servers.map(({ end }) => end));
}, 120_000);

afterAll(async () => {
  for (const close of closers) await close();
});

const judge = async (url: string, json: object) =>
  as('moderations.create', await postJson(`${url}/api/jobs/moderation/cases`, json));

test('whoever watches one hears of what is judged and decided at the other, once', async () => {
  const stop = new AbortController();
  const heard: HeardEvent[] = [];
  const watching = (async () => {
    for await (const event of heardEvents(await fetch(`${other}/api/events`, { signal: stop.signal })))
      heard.push(event);
  })();
  const caseOf = ({ data }: HeardEvent) => (data['case'] as { id?: string }).id ?? data['case'];
  let asked = 0;
  // It hears a moment after it was asked to.
  await until(async () => {
    await judge(one, { text: `Is anybody there, ${(asked += 1)}?`, method: 'guard' });
    return heard.length > 0;
  });
  const { id } = await judge(one, { text: 'Told at another door.', method: 'guard' });
  const decided = await postJson(`${one}/api/cases/${id}/feedback`, {
    label: 'unsafe',
    by: 'ann',
    why: 'It is.',
  });
  expect(decided.status).toBeLessThan(300);
  const own = await judge(other, { text: 'Told at this door.', method: 'guard' });
  const last = await judge(one, { text: 'The last that is told.', method: 'guard' });
  await until(() => heard.some((event) => caseOf(event) === last.id));
  stop.abort();
  await watching.catch(() => undefined);
  const told = (id: string) => heard.filter((event) => caseOf(event) === id).map(({ event }) => event);
  expect([told(id), told(own.id), told(last.id)]).toEqual([['verdict', 'decision'], ['verdict'], ['verdict']]);
  expect(heard.find(({ event }) => event === 'decision')!.data).toMatchObject({ label: 'unsafe', by: 'ann' });
}, 60_000);

test('an item that somebody annotates at one is given to nobody at the other', async () => {
  const { id } = await as(
    'annotations.create',
    await fetch(`${one}/api/annotations`, {
      method: 'POST',
      body: formOf({ name: 'two doors', votes: '2' }, [
        { name: 'data.jsonl', content: jsonLines([0, 1].map((at) => ({ id: `t${at}`, text: `Text ${at}` }))) },
      ]),
    }),
  );
  const next = async (url: string, by: string) =>
    (await as('annotations.next', await fetch(`${url}/api/annotations/${id}/next?by=${by}`))).item?.position ?? null;
  const people = ['ada', 'ben', 'cleo', 'dan'];
  const given = await Promise.all(people.map((by, at) => next(at % 2 ? one : other, by)));
  expect(given.toSorted((a, b) => Number(a) - Number(b))).toEqual([0, 0, 1, 1]);
  expect([await next(one, 'eve'), await next(other, 'eve')]).toEqual([null, null]);
  expect(await Promise.all(people.map((by, at) => next(at % 2 ? other : one, by)))).toEqual(given);
});

test('the limits of a model hold over both, for single requests', async () => {
  const seconds = 8;
  const began = performance.now();
  const before = panel.requests.length;
  const isOver = () => performance.now() - began > seconds * 1_000;
  let answered = 0;
  await Promise.all(
    Array.from({ length: 24 }, async (_, client) => {
      for (let number = 0; !isOver(); number += 1) {
        await judge(client % 2 ? one : other, { text: `Asked by ${client}, ${number}.`, method: 'judge' });
        answered += 1;
      }
    }),
  );
  const spent = (performance.now() - began) / 1_000;
  const asked = panel.requests.length - before;
  // A tenth is held for bursts, the rest refills.
  expect(asked).toBeLessThanOrEqual((perMinute / 60) * spent + 1);
  expect(asked).toBeGreaterThan(20);
  expect(panel.maxInFlight).toBeLessThanOrEqual(atOnce);
  expect(answered).toBe(asked);
}, 60_000);
