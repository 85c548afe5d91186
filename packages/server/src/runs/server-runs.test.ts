import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { status } from '@agonhq/test/fake-provider/index.ts';
import { panelReply, panelSettings, startFakePanel } from '@agonhq/test/support/fake-panel.ts';
import { runningServer, type ServerUnderTest } from '@agonhq/test/support/running-server.ts';
import { textItems } from '@agonhq/test/support/run-stage.ts';
import { as, formOf, jsonLines, runEvents } from '@agonhq/test/support/server-runs.ts';
import { openLedger, type Ledger } from '@agonhq/ledger';
import type { Settings } from '@agonhq/core/settings';

const latencyMs = 40;
const callsOfADebate = 3;
let home: string;
let ledger: Ledger;
let panel: Awaited<ReturnType<typeof startFakePanel>>;
let settings: Settings;

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'agon-desk-'));
  ledger = await openLedger({ file: path.join(home, 'ledger.db') });
  panel = await startFakePanel({ latencyMs });
  settings = { ...panelSettings(panel), moderation: { rounds: 1, without: ['retrieval', 'supporter'] } };
});
afterEach(async () => {
  await ledger.close();
  await panel.close();
  await rm(home, { recursive: true, force: true });
});

const open = () => runningServer(settings, { ledger, environment: { AGON_HOME: home } });
const notes = (count: number, of = '') =>
  jsonLines(
    Array.from({ length: count }, (_, number) => ({ id: `${number}`, text: `A note ${of}, number ${number}.` })),
  );

async function start(server: ServerUnderTest, content: string, fields: Record<string, string> = {}) {
  return as(
    'runs.create',
    await server.call('/api/runs', {
      method: 'POST',
      body: formOf({ job: 'moderation', concurrency: '2', ...fields }, [{ name: 'items.jsonl', content }]),
    }),
  );
}

const report = async (server: ServerUnderTest, id: string) => as('runs.get', await server.call(`/api/runs/${id}`));
const post = (server: ServerUnderTest, id: string, verb: string) =>
  server.call(`/api/runs/${id}/${verb}`, { method: 'POST' });

describe('a run on the desk', () => {
  test('is cancelled while it is judged, and goes on when it is told to', { timeout: 30_000 }, async () => {
    await using server = await open();
    const { id } = await start(server, notes(60));
    await runEvents(server, id, { enough: ({ data }) => Number(data['done']) >= 3 });
    const cancelled = await as('runs.cancel', await post(server, id, 'cancel'));
    expect(cancelled.state).toBe('cancelled');
    expect(cancelled.waiting).toBeGreaterThan(30);
    const asked = panel.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 5 * latencyMs));
    expect(panel.requests.length).toBe(asked);
    expect(await runEvents(server, id)).toMatchObject([{ type: 'end', data: { state: 'cancelled' } }]);
    const before = await report(server, id);
    expect(before).toMatchObject({ state: 'cancelled', live: false, counts: { running: 0 } });

    expect(await as('runs.resume', await post(server, id, 'resume'))).toMatchObject({ id, state: 'running' });
    expect((await post(server, id, 'resume')).status).toBe(409);
    expect((await runEvents(server, id)).at(-1)).toMatchObject({ type: 'end', data: { state: 'finished', done: 60 } });
    expect(panel.requests.length).toBeLessThanOrEqual(60 * callsOfADebate + 2 * callsOfADebate);
    expect((await post(server, id, 'cancel')).status).toBe(409);
    expect((await post(server, id, 'resume')).status).toBe(409);
  });

  test(
    'goes on with the next server when this one is stopped, and pays for nothing twice',
    { timeout: 30_000 },
    async () => {
      let id: string;
      {
        await using first = await open();
        ({ id } = await start(first, notes(40), { name: 'nightly' }));
        await runEvents(first, id, { enough: ({ data }) => Number(data['done']) >= 3 });
      }
      expect(await ledger.runs.findRun(id)).toMatchObject({ state: 'stopped', problem: null });
      const asked = panel.requests.length;
      await using second = await open();
      expect(await report(second, id)).toMatchObject({ state: 'running', live: true, name: 'nightly' });
      expect((await runEvents(second, id)).at(-1)).toMatchObject({
        type: 'end',
        data: { state: 'finished', total: 40, done: 40 },
      });
      expect(asked).toBeLessThan(40 * callsOfADebate);
      expect(panel.requests.length).toBeLessThanOrEqual(40 * callsOfADebate + 2 * callsOfADebate);
      await expect.poll(() => readdir(path.join(home, 'server', 'runs'))).toEqual([]);
    },
  );

  test(
    'is not taken up when somebody cancelled it, when something was wrong with it, or when it is not of a server',
    { timeout: 30_000 },
    async () => {
      const ids: Record<string, string> = {};
      {
        await using first = await open();
        for (const name of ['cancelled', 'broke', 'stopped']) {
          const { id } = await start(first, notes(200, name), { name });
          ids[name] = id;
          await runEvents(first, id, { enough: ({ data }) => Number(data['done']) >= 1 });
          if (name !== 'stopped') await post(first, id, 'cancel');
        }
      }
      await ledger.runs.reopenRun(ids['broke']!);
      await ledger.runs.endRun(ids['broke']!, 'stopped', 'The budget does not cover another item.');
      // One of the command line, whose input lies elsewhere.
      const elsewhere = path.join(home, 'items.jsonl');
      await writeFile(elsewhere, notes(5));
      const { settings: plan, configuration } = (await ledger.runs.findRun(ids['stopped']!))!;
      await ledger.runs.startRun({
        id: 'run-of-the-cli',
        name: null,
        job: 'moderation',
        configuration,
        settings: plan,
        input: elsewhere,
      });

      await using second = await open();
      const live = (await as('runs.list', await second.call('/api/runs'))).rows
        .filter((run) => run.live)
        .map(({ id }) => id);
      expect(live).toEqual([ids['stopped']]);
      const refused = await post(second, 'run-of-the-cli', 'resume');
      expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([422, 'missing-input']);
      await post(second, ids['stopped']!, 'cancel');
    },
  );

  test('waits for its turn when two are under way, with its items in the ledger', { timeout: 30_000 }, async () => {
    await using server = await open();
    const [a, b, c, d] = [
      await start(server, notes(100, 'a')),
      await start(server, notes(100, 'b')),
      await start(server, notes(7, 'c')),
      await start(server, notes(5, 'd')),
    ];
    await expect.poll(async () => (await report(server, c.id)).counts.waiting).toBe(7);
    expect(await report(server, c.id)).toMatchObject({
      state: 'running',
      live: true,
      total: 7,
      counts: { done: 0, running: 0 },
    });
    await post(server, d.id, 'cancel');
    await post(server, a.id, 'cancel');
    expect((await runEvents(server, c.id)).at(-1)).toMatchObject({ type: 'end', data: { state: 'finished', done: 7 } });
    expect(await report(server, b.id)).toMatchObject({ state: 'running' });
    expect(await report(server, d.id)).toMatchObject({ state: 'cancelled', counts: { done: 0 } });
    await post(server, b.id, 'cancel');
  });

  test('ends by itself with what is wrong with it, and the server goes on', { timeout: 30_000 }, async () => {
    await using server = await open();
    const reply = panel.script;
    panel.script = () => status(401);
    const { id } = await start(server, notes(20));
    expect((await runEvents(server, id)).at(-1)).toMatchObject({
      type: 'end',
      data: { state: 'failed', problem: expect.stringContaining('wrong-key') },
    });
    expect(server.log).toContainEqual(
      expect.objectContaining({ event: 'run', run: id, state: 'failed', code: 'wrong-key' }),
    );
    panel.script = reply;
    await post(server, id, 'resume');
    expect((await runEvents(server, id)).at(-1)).toMatchObject({ data: { state: 'finished', done: 20 } });
  });

  test('spends no more than it may', { timeout: 30_000 }, async () => {
    await using server = await open();
    const { id } = await start(server, notes(50), { budgetUsd: '0.02' });
    expect((await runEvents(server, id)).at(-1)).toMatchObject({
      data: { state: 'stopped', problem: expect.stringContaining('budget') },
    });
    expect((await report(server, id)).committed.usd).toBeLessThanOrEqual(0.02);
  });

  test('judges failed items again, those whose line is broken excepted', { timeout: 30_000 }, async () => {
    await using server = await open();
    panel.script = (request) => (request.prompt.includes('number 3.') ? status(503) : panelReply({}, request));
    const { id } = await start(server, `${notes(6)}{broken\n`);
    expect((await runEvents(server, id)).at(-1)).toMatchObject({ data: { state: 'finished', done: 5, failed: 2 } });
    panel.script = (request) => panelReply({}, request);
    expect(await as('runs.retry', await post(server, id, 'retry-failed'))).toMatchObject({
      id,
      state: 'running',
      waiting: 1,
    });
    expect((await runEvents(server, id)).at(-1)).toMatchObject({ data: { state: 'finished', done: 6, failed: 1 } });
    expect(await as('runs.retry', await post(server, id, 'retry-failed'))).toMatchObject({
      state: 'finished',
      waiting: 0,
    });
  });

  test('refuses a name that an unfinished run has', { timeout: 30_000 }, async () => {
    await using server = await open();
    const { id } = await start(server, notes(100), { name: 'nightly' });
    const second = await server.call('/api/runs', {
      method: 'POST',
      body: formOf({ job: 'moderation', name: 'nightly' }, [{ name: 'items.jsonl', content: notes(3) }]),
    });
    expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([409, 'run-exists']);
    expect((await readdir(path.join(home, 'server', 'runs'))).filter((name) => !name.endsWith('.lock'))).toEqual([id]);
    await post(server, id, 'cancel');
  });

  test('that another process works on is watched in the ledger', { timeout: 30_000 }, async () => {
    await using server = await open();
    const plan = { version: 1 };
    await ledger.runs.startRun({
      id: 'run-elsewhere',
      name: null,
      job: 'moderation',
      configuration: 'sha256:x',
      settings: plan,
      input: '-',
    });
    await ledger.runs.putItems('run-elsewhere', textItems(4));
    await ledger.runs.markLoaded('run-elsewhere', 4);
    setTimeout(() => void ledger.runs.endRun('run-elsewhere', 'stopped', 'It was enough.'), 1_500);
    const events = await runEvents(server, 'run-elsewhere');
    expect(events[0]).toMatchObject({ type: 'progress', data: { state: 'running', total: 4, waiting: 4 } });
    expect(events.at(-1)).toMatchObject({ type: 'end', data: { state: 'stopped', problem: 'It was enough.' } });
    expect(await as('runs.get', await server.call('/api/runs/run-elsewhere'))).toMatchObject({
      live: false,
      state: 'stopped',
    });
  });

  test('is left to the server that works on it by others on the same machine', { timeout: 30_000 }, async () => {
    await using first = await open();
    const { id } = await start(first, notes(60));
    await using second = await open();
    expect(await report(second, id)).toMatchObject({ state: 'running', live: false });
    const refused = await post(second, id, 'resume');
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([409, 'running-run']);
    await post(second, id, 'cancel');
    await expect.poll(async () => (await report(first, id)).live, { timeout: 5_000 }).toBe(false);
    expect(await report(first, id)).toMatchObject({ state: 'cancelled' });
  });
});
