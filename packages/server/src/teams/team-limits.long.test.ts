import { afterAll, beforeAll, expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { startPostgres, type PostgresServer } from '@agonhq/test/support/postgres.ts';
import { runningServer } from '@agonhq/test/support/running-server.ts';
import { as, formOf, jsonLines } from '@agonhq/test/support/server-runs.ts';
import { until } from '@agonhq/test/support/until.ts';
import { locateTeam, openLedger } from '@agonhq/ledger';

/* Two teams that ask the same model: `teams.limits` says whether its limits are those of both together. */

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres.stop());

async function measureMostAtOnce(limits: 'shared' | 'apart', concurrency: number, ask: 'requests' | 'runs') {
  const panel = await startFakePanel({ latencyMs: 400 });
  const place = { url: await postgres.newLedger() };
  const ledger = await openLedger(place);
  for (const team of ['acme', 'bolt']) await ledger.teams.addTeam(team, {});
  const settings = panelSettings(panel);
  const models = { 'fake:panel-vision': { ...settings.models['fake:panel-vision'], concurrency } };
  const server = await runningServer(
    {
      ...settings,
      models,
      teams: { limits },
      moderation: { method: 'judge' },
      defaults: { retries: 0, timeoutMs: 30_000 },
    },
    { ledger, openTeamLedger: (team) => openLedger(locateTeam(place, team)) },
  );
  const judge = async (team: string, number: number) =>
    as(
      'moderations.create',
      await server.call('/api/jobs/moderation/cases', {
        json: { text: `${team}, ${number}.` },
        headers: { 'agon-team': team },
      }),
    );
  const run = async (team: string) => {
    const headers = { 'agon-team': team };
    const items = Array.from({ length: 12 }, (_, number) => ({ id: `i${number}`, text: `${team}, ${number}.` }));
    const body = formOf({ job: 'moderation', concurrency: '8' }, [{ name: 'items.jsonl', content: jsonLines(items) }]);
    const { id } = await as('runs.create', await server.call('/api/runs', { method: 'POST', headers, body }));
    const find = async () => as('runs.get', await server.call(`/api/runs/${id}`, { headers }));
    await until(async () => (await find()).state === 'finished', 60);
  };
  try {
    // Both are open before either asks for more.
    await Promise.all(['acme', 'bolt'].map((team) => judge(team, -1)));
    await Promise.all(
      ['acme', 'bolt'].map((team) =>
        ask === 'runs' ? run(team) : Promise.all(Array.from({ length: 4 }, (_, number) => judge(team, number))),
      ),
    );
    return panel.maxInFlight;
  } finally {
    await server[Symbol.asyncDispose]();
    await ledger.close();
    await panel.close();
  }
}

test('teams share the limits of a model in single requests, unless they are apart', async () => {
  expect(await measureMostAtOnce('shared', 1, 'requests')).toBe(1);
  expect(await measureMostAtOnce('apart', 1, 'requests')).toBe(2);
}, 60_000);

test('and in runs', async () => {
  expect(await measureMostAtOnce('shared', 2, 'runs')).toBe(2);
  expect(await measureMostAtOnce('apart', 2, 'runs')).toBe(4);
}, 120_000);
