import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startBalancer } from '../support/balancer.ts';
import { findFreePort } from '../support/find-free-port.ts';
import { leastEnvironment } from '../support/least-environment.ts';
import { startPostgres } from '../support/postgres.ts';
import { launcher } from '../support/run-agon.ts';
import { until } from '../support/until.ts';
import { openLedger } from '../../src/ledger/index.ts';

/* Three servers behind a balancer, each restarted in turn while clients go on asking. */

const servers = 3;
const clients = 4;

interface Serving {
  url: string;
  child: ChildProcess;
  stderr: () => string;
}

test('a rolling restart under load loses no request, repeats none, and answers none with an error', async () => {
  const postgres = await startPostgres();
  const database = await postgres.newDatabase();
  const home = await mkdtemp(path.join(tmpdir(), 'agon-rolling-'));
  const children = new Set<ChildProcess>();

  async function serve(port: number): Promise<Serving> {
    let said = '';
    const child = spawn(
      process.execPath,
      [launcher, 'serve', '--port', String(port), '--unready-seconds', '1.5', '--drain-seconds', '20', '--log', 'json'],
      { cwd: home, env: { ...leastEnvironment(), AGON_HOME: home, AGON_DATABASE_URL: database }, stdio: 'pipe' },
    );
    children.add(child);
    child.once('exit', () => children.delete(child));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const url = `http://127.0.0.1:${port}`;
    await until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true, 60);
    return { url, child, stderr: () => said };
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
    const running: Serving[] = [];
    for (const port of ports) running.push(await serve(port));
    await using balancer = await startBalancer(running.map(({ url }) => url));
    await until(async () => running.every(({ url }) => balancer.isReady(url)), 10);

    const answers: { key: string; status: number; id: string | undefined; text: string }[] = [];
    const over = new AbortController();
    const load = Array.from({ length: clients }, async (_, client) => {
      for (let number = 0; !over.signal.aborted; number += 1) {
        const key = `client-${client}-request-${number}`;
        const response = await fetch(`${balancer.url}/api/moderations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ text: `A note of ${key} about gardens.`, method: 'guard' }),
        });
        const text = await response.text();
        answers.push({ key, status: response.status, text, id: (JSON.parse(text) as { id?: string }).id });
      }
    });
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
    }
    const before = answers.length;
    await until(async () => answers.length > before + 30, 30);
    over.abort();
    await Promise.all([...load, watching]);

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(balancer.failures).toEqual([]);
    expect(streamsEnded).toBeGreaterThan(0);
    expect([...balancer.answered.values()].every((count) => count > 10)).toBe(true);
    // Each has a case of its own, and there is no other.
    expect(new Set(answers.map(({ id }) => id)).size).toBe(answers.length);
    const ledger = await openLedger({ url: database });
    const { debates, verdicts } = await ledger.readStats();
    await ledger.close();
    expect({ debates, verdicts }).toEqual({ debates: answers.length, verdicts: { safe: answers.length } });
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await postgres.stop();
    await rm(home, { recursive: true, force: true });
  }
}, 240_000);
