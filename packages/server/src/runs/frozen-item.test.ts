import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';
import { as, formOf, jsonLines } from '@agonhq/test/support/server-runs.ts';
import { slowTest } from '@agonhq/test/support/slow.ts';

/* A server that is started again whenever it ends, as whoever runs it has it. */

const script = fileURLToPath(new URL('../../../../test/support/freezing-server.ts', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'agon-frozen-'));
let child: ChildProcess | undefined;
afterAll(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<string> {
  child = spawn(process.execPath, ['--no-warnings', script, folder], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [said] = (await once(child.stdout!, 'data')) as [Buffer];
  return said.toString().trim();
}

slowTest(
  'an item that freezes the server is set aside, and the others are judged',
  async () => {
    let url = await start();
    const items = ['One.', 'Freeze.', 'Two.', 'Three.'].map((text, at) => ({ id: `item-${at}`, text }));
    const body = formOf({ job: 'reading' }, [{ name: 'items.jsonl', content: jsonLines(items) }]);
    const { id } = await as('runs.create', await fetch(`${url}/api/runs`, { method: 'POST', body }));

    const read = async () =>
      as('runs.get', await fetch(`${url}/api/runs/${id}`, { signal: AbortSignal.timeout(2_000) }));
    let ends = 0;
    for (;;) {
      if (child!.exitCode !== null || child!.signalCode !== null) {
        expect(child!.signalCode).toBe('SIGKILL');
        ends += 1;
        url = await start();
      }
      const run = await read().catch(() => null);
      if (run && run.state !== 'running') break;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { state, counts } = await read();
    expect(state).toBe('finished');
    expect(counts).toMatchObject({ done: 3, failed: 1, failuresByCode: { 'worker-died': 1 } });
    expect(ends).toBeGreaterThan(0);
  },
  300_000,
);
