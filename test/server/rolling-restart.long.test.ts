import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { panelSettings, startFakePanel } from '../support/fake-panel.ts';
import { startBalancer } from '../support/balancer.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { leastEnvironment } from '../support/least-environment.ts';
import { startPostgres } from '../support/postgres.ts';
import { launcher } from '../support/run-agon.ts';
import { as, formOf, jsonLines } from '../support/server-runs.ts';
import { isWhole } from '../support/slow.ts';
import { until } from '../support/until.ts';
import { openLedger } from '@agonhq/ledger';

/* Servers behind a balancer and workers, each restarted in turn while clients go on asking and runs go on. */

const servers = isWhole ? 3 : 2;
const clients = 4;
const itemsOfARun = 60;

interface Working {
  child: ChildProcess;
  probe: string;
  ended: Promise<number | null>;
}

interface Serving {
  url: string;
  child: ChildProcess;
  stderr: () => string;
}

test('a rolling restart under load loses no request and no item, repeats none, and answers none with an error', async () => {
  // As long as a model takes: a worker that is stopped has items in hand.
  const panel = await startFakePanel({ latencyMs: 300 });
  const postgres = await startPostgres();
  const database = await postgres.newLedger();
  const home = await mkdtemp(path.join(tmpdir(), 'agon-rolling-'));
  const { providers, ...settings } = panelSettings(panel);
  const config = {
    ...settings,
    // Longer than a busy machine holds anybody up: an answer that comes too late is asked for again.
    defaults: { ...settings.defaults, timeoutMs: 20_000 },
    providers: { fake: { ...providers.fake, apiKey: 'of-all' } },
  };
  await writeFile(path.join(home, 'agon.config.json'), JSON.stringify(config));
  const children = new Set<ChildProcess>();

  function start(...args: string[]) {
    let said = '';
    const env = { ...leastEnvironment(), AGON_HOME: home, AGON_DATABASE_URL: database };
    const child = spawn(process.execPath, [launcher, ...args], { cwd: home, env, stdio: 'pipe' });
    children.add(child);
    child.once('exit', () => children.delete(child));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    return { child, stderr: () => said };
  }

  async function work(): Promise<Working> {
    const { child, stderr } = start('worker', '--concurrency', '4', '--drain-seconds', '20', '--probe', '0');
    await until(() => stderr().includes('probes at'), 60);
    const probe = /probes at (\S+)/.exec(stderr())![1]!;
    return { child, probe, ended: new Promise((resolve) => child.once('exit', resolve)) };
  }

  async function serve(port: number): Promise<Serving> {
    const stopping = ['--unready-seconds', '3', '--drain-seconds', '20'];
    const { child, stderr } = start('serve', '--port', String(port), ...stopping, '--log', 'json');
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true, 60);
    return { url, child, stderr };
  }

  async function stop({ child, url }: Serving): Promise<{ code: number | null; unready: boolean }> {
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    let unready = false;
    await until(async () => {
      const answer = await fetch(`${url}/readyz`).catch(() => null);
      unready ||= answer?.status === 503;
      return answer === null || unready;
    }, 10);
    // It says that it leaves, and still answers whoever did not hear it yet.
    const late = await fetch(`${url}/api/cases?limit=1`).catch(() => null);
    expect([late?.status, late?.headers.get('connection')]).toEqual([200, 'close']);
    return { code: await ended, unready };
  }

  try {
    const ports = [];
    for (let number = 0; number < servers; number += 1) ports.push(await findFreePort());
    const running = await Promise.all(ports.map(serve));
    const workers = await Promise.all(ports.map(work));
    await using balancer = await startBalancer(running.map(({ url }) => url));
    await until(async () => running.every(({ url }) => balancer.isReady(url)), 10);

    const answers: { key: string; status: number; id: string | undefined; text: string }[] = [];
    const over = new AbortController();
    const load = Array.from({ length: clients }, async (_, client) => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        const key = `client-${client}-request-${number}`;
        const response = await fetch(`${balancer.url}/api/jobs/moderation/cases`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ text: `A note of ${key} about gardens.`, method: 'guard' }),
        });
        const text = await response.text();
        answers.push({
          key,
          status: response.status,
          text,
          id: response.ok ? (JSON.parse(text) as { id: string }).id : undefined,
        });
      }
    });
    /** Runs one after the other, which servers and workers share. */
    const runs: string[] = [];
    const sending = (async () => {
      while (!over.signal.aborted) {
        const items = Array.from({ length: itemsOfARun }, (_, number) => ({
          id: `item-${number}`,
          text: `Item ${number} of run ${runs.length}.`,
        }));
        const response = await fetch(`${balancer.url}/api/runs`, {
          method: 'POST',
          headers: { 'idempotency-key': `run-${runs.length}` },
          body: formOf({ job: 'moderation', method: 'judge', concurrency: '2' }, [
            { name: 'items.jsonl', content: jsonLines(items) },
          ]),
        });
        const { id } = await as('runs.create', response);
        runs.push(id);
        await until(
          async () => (await as('runs.get', await fetch(`${balancer.url}/api/runs/${id}`))).state === 'finished',
          60,
        );
      }
    })();
    /** Somebody who watches is told that the stream ends, not cut off. */
    let streamsEnded = 0;
    const watching = (async () => {
      while (!over.signal.aborted) {
        const news = await fetch(`${balancer.url}/api/events`, { signal: over.signal });
        expect(news.status).toBe(200);
        try {
          for await (const _ of news.body!);
          streamsEnded += 1;
        } catch (error) {
          if (!over.signal.aborted) throw error;
        }
      }
    })();

    for (const [index, port] of ports.entries()) {
      const before = answers.length;
      await until(async () => answers.length > before + 20, 30);
      expect(await stop(running[index]!)).toEqual({ code: 0, unready: true });
      running[index] = await serve(port);
      await until(async () => balancer.isReady(running[index]!.url), 10);
      const ended = runs.length;
      const { probe } = workers[index]!;
      await until(
        async () => /^agon_worker_items_running [1-9]/m.test(await (await fetch(`${probe}/metrics`)).text()),
        30,
      );
      workers[index]!.child.kill('SIGTERM');
      expect(await workers[index]!.ended).toBe(0);
      await until(() => runs.length > ended, 60);
      workers[index] = await work();
    }
    const before = answers.length;
    await until(async () => answers.length > before + 30, 30);
    over.abort();
    await Promise.all([...load, sending, watching]);

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(balancer.failures).toEqual([]);
    expect(streamsEnded).toBeGreaterThan(0);
    expect([...balancer.answered.values()].every((count) => count > 10)).toBe(true);
    // Each has a case of its own, and there is no other.
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
    const ledger = await openLedger({ url: database });
    const { debates, verdicts } = await ledger.readStats();
    const items = await Promise.all(runs.map((run) => ledger.runs.listItems(run, { limit: 1_000, order: 'input' })));
    await ledger.close();
    expect(runs.length).toBeGreaterThan(servers);
    const cases = items.flat().map(({ key, state, attempts, result }) => {
      expect([key, state, attempts]).toEqual([key, 'done', 0]);
      return result!.case;
    });
    expect(new Set(cases).size).toBe(runs.length * itemsOfARun);
    // No model was asked anything twice.
    expect(panel.requests).toHaveLength(runs.length * itemsOfARun);
    const all = answers.length + cases.length;
    expect({ debates, verdicts }).toEqual({ debates: all, verdicts: { safe: all } });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await postgres.stop();
    await panel.close();
    await rm(home, { recursive: true, force: true });
  }
}, 240_000);
