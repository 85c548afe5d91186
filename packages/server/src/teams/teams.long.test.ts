import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { startPostgres } from '@agonhq/test/support/postgres.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { until } from '@agonhq/test/support/until.ts';
import { as, formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';
import { locateTeam, openLedger, type Ledger, type LedgerPlace } from '@agonhq/ledger';
import { openKeys } from '../auth/index.ts';

/* Two teams on one server, whose host needs keys. Whatever one asks for of the other is not there. */

const text = 'I will find you and hurt you tonight.';

async function makeKey(place: LedgerPlace, team: string, scopes: ('admin' | 'judge' | 'read')[] = ['admin']) {
  const ledger = await openLedger(locateTeam(place, team));
  try {
    const keys = await openKeys({ ledger, environment: {}, team });
    return (await keys.create({ name: `${team}'s`, scopes })).key;
  } finally {
    await ledger.close();
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe.each(['sqlite', 'postgresql'] as const)('on %s', (kind) => {
  const closers: (() => PromiseLike<unknown>)[] = [];
  let place: LedgerPlace;
  let ledger: Ledger;
  let server: ServerUnderTest;
  let acme: Record<string, string>;
  let bolt: Record<string, string>;

  beforeAll(async () => {
    if (kind === 'sqlite') {
      const folder = await mkdtemp(path.join(tmpdir(), 'agon-teams-'));
      place = { file: path.join(folder, 'ledger.sqlite') };
      closers.push(() => rm(folder, { recursive: true, force: true }));
    } else {
      const postgres = await startPostgres();
      place = { url: await postgres.newLedger() };
      closers.unshift(() => postgres.stop());
    }
    ledger = await openLedger(place);
    await ledger.teams.addTeam('acme', { server: { ratePerMinute: 100_000 } });
    await ledger.teams.addTeam('bolt-2', {});
    [acme, bolt] = [bearer(await makeKey(place, 'acme')), bearer(await makeKey(place, 'bolt-2'))];
    server = await runningServer(
      { server: { auth: 'required', host: '127.0.0.1' } },
      { ledger, openTeamLedger: (team) => openLedger(locateTeam(place, team)) },
    );
    closers.unshift(
      () => server[Symbol.asyncDispose](),
      () => ledger.close(),
    );
  }, 60_000);

  afterAll(async () => {
    for (const close of closers) await close();
  });

  const judge = async (headers: Record<string, string>, json: object) =>
    (await (await server.call('/api/jobs/moderation/cases', { json, headers })).json()) as { id: string; seal: string };

  test('a key says whose it is', async () => {
    expect(acme['authorization']).toMatch(/^Bearer agon_acme_[0-9a-f]{12}_/);
    expect(await (await server.call('/api/self', { headers: acme })).json()).toMatchObject({ team: 'acme' });
    expect(await (await server.call('/api/self', { headers: bolt })).json()).toMatchObject({ team: 'bolt-2' });
  });

  test('the same text is judged by each for itself', async () => {
    const [ours, theirs] = [await judge(acme, { text }), await judge(bolt, { text: `${text} ` })];
    await judge(bolt, { text });
    for (const [headers, count] of [
      [acme, 1],
      [bolt, 2],
    ] as const) {
      const { rows } = (await (await server.call('/api/cases', { headers })).json()) as { rows: { id: string }[] };
      expect(rows).toHaveLength(count);
    }
    expect((await server.call(`/api/cases/${theirs.id}/answer`, { headers: bolt })).status).toBe(200);
    expect((await server.call(`/api/cases/${ours.id}/answer`, { headers: acme })).status).toBe(200);
  });

  test('what one has, the other asks for in vain', async () => {
    const { id } = await judge(acme, { text: 'Only acme has ever seen this sentence.' });
    const run = await as(
      'runs.create',
      await server.call('/api/runs', {
        method: 'POST',
        headers: acme,
        body: formOf({ job: 'moderation', method: 'guard' }, [
          { name: 'items.jsonl', content: jsonLines([{ id: 'one', text: 'An item of acme alone.' }]) },
        ]),
      }),
    );
    await until(async () => {
      const { state } = (await (await server.call(`/api/runs/${run.id}`, { headers: acme })).json()) as {
        state: string;
      };
      return state === 'finished';
    }, 30);
    const paths = [
      `/api/cases/${id}/answer`,
      `/api/cases/${id}/events`,
      `/api/cases/${id}/report?format=html`,
      `/api/cases/${id}`,
      `/api/cases/${id}/statement`,
      `/api/cases/${id}/bundle`,
      `/api/cases/${id}/attachments/sha256:${'0'.repeat(64)}`,
      `/api/runs/${run.id}`,
      `/api/runs/${run.id}/items`,
      `/api/runs/${run.id}/events`,
      `/api/runs/${run.id}/export`,
    ];
    const lists = ['/api/cases', '/api/runs', '/api/precedents', '/api/keys', '/api/audit', '/api/queue'];
    for (const where of lists) {
      const told = await (await server.call(where, { headers: bolt })).text();
      expect(told).not.toContain(id);
      expect(told).not.toContain(run.id);
      expect(told).not.toContain('acme');
    }
    for (const where of paths.filter((each) => !/attachments|statement/.test(each)))
      expect([where, (await server.call(where, { headers: acme })).status]).toEqual([where, 200]);
    for (const where of paths) {
      const answer = await server.call(where, { headers: bolt });
      expect([where, answer.status]).toEqual([where, 404]);
      expect(await answer.text()).not.toContain('acme');
    }
    const appeal = await server.call(`/api/cases/${id}/appeal`, {
      json: { statement: 'Let me.' },
      headers: bolt,
    });
    expect(appeal.status).toBe(404);
    expect((await server.call(`/api/cases/${id}`, { method: 'DELETE', headers: bolt })).status).toBe(404);
    expect((await server.call(`/api/cases/${id}/answer`, { headers: acme })).status).toBe(200);
  });

  test('an idempotency key of one means nothing to the other', async () => {
    const ask = (headers: Record<string, string>, words: string) =>
      server.call('/api/jobs/moderation/cases', {
        json: { text: words },
        headers: { ...headers, 'idempotency-key': 'the-same-for-both' },
      });
    const first = await ask(acme, 'Of acme, with a key.');
    const second = await ask(bolt, 'Of bolt, with the same key.');
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotent-replayed')).toBeNull();
    expect(await second.text()).not.toContain('Of acme');
  });

  test('a key with another team’s name, an unknown team’s or none at all opens nothing', async () => {
    const [, id, secret] = /agon_acme_(\w{12})_(.*)$/.exec(acme['authorization']!)!;
    for (const forged of [`agon_bolt-2_${id}_${secret}`, `agon_nobody_${id}_${secret}`, `agon_${id}_${secret}`]) {
      const answer = await server.call('/api/cases', { headers: bearer(forged) });
      expect([forged.split('_')[1], answer.status]).toEqual([forged.split('_')[1], 401]);
      expect(await answer.json()).toMatchObject({ code: 'wrong-api-key' });
    }
    const mixed = await server.call('/api/self', { headers: { ...bolt, 'agon-team': 'acme' } });
    expect(await mixed.json()).toMatchObject({ team: 'bolt-2' });
  });

  test('the header without a key of ours tells nobody which teams there are', async () => {
    const ask = async (where: string, team: string, headers = {}) => {
      const answer = await server.call(where, { headers: { 'agon-team': team, ...headers } });
      const body = (await answer.text()).replaceAll(team, 'TEAM').replaceAll(/urn:request:[\w-]+/g, '');
      const told = [...answer.headers].filter(([name]) => !/request-id|^date$/.test(name));
      return { status: answer.status, told, body };
    };
    for (const where of ['/api/cases', '/healthz', '/readyz', '/api/openapi.json', '/api/nothing', '/'])
      for (const headers of [{}, bearer('sk-of-somebody-else')])
        expect(await ask(where, 'acme', headers), where).toEqual(await ask(where, 'nobody', headers));
    expect((await ask('/api/cases', 'acme')).status).toBe(401);
  });

  test('whoever signs in with a team’s key is in that team, and cannot carry the session to another', async () => {
    const key = acme['authorization']!.slice('Bearer '.length);
    const signedIn = await server.call('/api/session', { json: { key } });
    expect(await signedIn.json()).toMatchObject({ team: 'acme' });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    expect(cookie).toMatch(/^agon_session=acme_/);
    expect(await (await server.call('/api/self', { headers: { cookie } })).json()).toMatchObject({ team: 'acme' });
    for (const forged of [cookie.replace('acme_', 'bolt-2_'), cookie.replace('acme_', '')])
      expect((await server.call('/api/self', { headers: { cookie: forged } })).status).toBe(401);
  });

  test('a policy that one puts in force is not the other’s', async () => {
    const yaml = (await (await server.call('/api/policies/active?format=yaml', { headers: acme })).text()).replace(
      /^version: .*$/m,
      'version: "acme-7"',
    );
    const { hash } = (await (await server.call('/api/policies', { json: { yaml }, headers: acme })).json()) as {
      hash: string;
    };
    expect((await server.call(`/api/policies/${hash}/activation`, { method: 'PUT', headers: bolt })).status).toBe(404);
    expect((await server.call(`/api/policies/${hash}/activation`, { method: 'PUT', headers: acme })).status).toBe(200);
    const policyOf = async (headers: Record<string, string>) =>
      ((await (await server.call('/api/self', { headers })).json()) as { policy: { hash: string } }).policy.hash;
    expect(await policyOf(acme)).toBe(hash);
    expect(await policyOf(bolt)).not.toBe(hash);
  });

  test('news of one are not told to the other', async () => {
    const stop = new AbortController();
    const news = await server.call('/api/events', { headers: bolt, signal: stop.signal });
    const { id } = await judge(acme, { text: 'News for acme only.' });
    const own = await judge(bolt, { text: 'News for bolt only.' });
    let told = '';
    for await (const part of news.body!) {
      told += Buffer.from(part as Uint8Array).toString();
      if (told.includes(own.id)) break;
    }
    stop.abort();
    expect(told).toContain(own.id);
    expect(told).not.toContain(id);
  });

  test('each sees its own figures; who runs the installation sees all, by team', async () => {
    const figures = async (headers: Record<string, string>) => (await server.call('/metrics', { headers })).text();
    expect(await figures(acme)).toMatch(/agon_trials_total\{.*team="acme".*\} \d/);
    expect(await figures(acme)).not.toContain('bolt');
    const keys = await openKeys({ ledger, environment: {} });
    const { key } = await keys.create({ name: 'prometheus', scopes: ['read'] });
    const all = await figures(bearer(key));
    expect(all).toMatch(/agon_trials_total\{.*team="acme".*\} \d/);
    expect(all).toMatch(/agon_trials_total\{.*team="bolt-2".*\} \d/);
    expect(all).toMatch(/^agon_queue_items 0$/m);
    if (kind === 'postgresql') expect(all).toMatch(/^agon_queue_items\{team="acme"\} 0$/m);
    expect(all.match(/^# TYPE agon_trials_total counter$/gm)).toHaveLength(1);
  });

  test('a team that is added, changed or removed while the server runs is followed', async () => {
    await ledger.teams.addTeam('late', {});
    const late = bearer(await makeKey(place, 'late'));
    expect((await server.call('/api/cases', { headers: late })).status).toBe(200);
    await ledger.teams.changeTeam('late', { server: { ratePerMinute: 1 } });
    await until(async () => (await server.call('/api/cases', { headers: late })).status === 429, 15);
    await ledger.teams.removeTeam('late');
    await until(async () => (await server.call('/api/cases', { headers: late })).status === 401, 15);
    const answer = await server.call('/api/cases', { headers: late });
    expect(await answer.json()).toMatchObject({ code: 'wrong-api-key' });
  }, 60_000);

  test('runs of a team are heard to their end', async () => {
    const run = await as(
      'runs.create',
      await server.call('/api/runs', {
        method: 'POST',
        headers: bolt,
        body: formOf({ job: 'moderation', method: 'guard' }, [
          { name: 'items.jsonl', content: jsonLines([{ id: 'one', text: 'An item of bolt.' }]) },
        ]),
      }),
    );
    const asBolt = {
      ...server,
      call: ((where, options = {}) =>
        server.call(where, { ...options, headers: { ...bolt, ...options.headers } })) as ServerUnderTest['call'],
    };
    expect((await runEvents(asBolt, run.id)).at(-1)).toMatchObject({ type: 'end', data: { state: 'finished' } });
  });
});

describe('teams that ask models of a provider', () => {
  test.each(['ledger', 'directory'] as const)(
    'are not answered from each other’s cache (%s), and spend budgets of their own',
    async (kind) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'agon-teams-'));
      const place = { file: path.join(folder, 'ledger.sqlite') };
      const ledger = await openLedger(place);
      await ledger.teams.addTeam('rich', {});
      await ledger.teams.addTeam('poor', { budget: { runUsd: 0.000_001 } });
      await ledger.teams.addTeam('other', {});
      const panel = await startFakePanel({});
      const server = await runningServer(
        {
          ...panelSettings(panel),
          models: { 'fake:panel': { price: { input: 1, output: 2 } } },
          moderation: { method: 'judge' },
          cache: kind === 'ledger' ? 'ledger' : { directory: path.join(folder, 'answers') },
        },
        { ledger, openTeamLedger: (team) => openLedger(locateTeam(place, team)) },
      );
      const ask = async (team: string, words: string) => {
        const answer = await server.call('/api/jobs/moderation/cases', {
          json: { text: words },
          headers: { 'agon-team': team },
        });
        return (await answer.json()) as { code?: string; usage?: { calls: number }; degraded?: unknown };
      };
      try {
        await ask('rich', 'A text that three teams have.');
        const once = panel.requests.length;
        expect(once).toBeGreaterThan(0);
        await ask('other', 'A text that three teams have.');
        expect(panel.requests).toHaveLength(2 * once);
        expect(JSON.stringify(await ask('poor', 'A text that three teams have.'))).toContain('budget');
        expect(panel.requests).toHaveLength(2 * once);
        expect(await ask('other', 'Another text, which is paid for.')).toMatchObject({ job: 'moderation' });
        expect(panel.requests).toHaveLength(3 * once);
      } finally {
        await server[Symbol.asyncDispose]();
        await panel.close();
        await ledger.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
    30_000,
  );
});
