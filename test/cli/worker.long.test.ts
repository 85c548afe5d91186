import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openLedger } from '@agonhq/ledger';
import { openFleetStage } from '../support/fleet-stage.ts';
import { until } from '../support/run-agon.ts';

describe('a worker', () => {
  test('answers probes, and drains on SIGTERM', async () => {
    await using stage = await openFleetStage({ script: { latencyMs: 300 } });
    const worker = await stage.worker('a', ['--concurrency', '4']);
    expect(await (await fetch(`${worker.probe}/healthz`)).text()).toBe('alive\n');
    expect((await fetch(`${worker.probe}/readyz`)).status).toBe(200);
    expect((await fetch(`${worker.probe}/secret`)).status).toBe(404);
    const file = path.join(stage.folder, 'items.jsonl');
    await writeFile(
      file,
      Array.from(
        { length: 60 },
        (_, index) => `${JSON.stringify({ id: `item-${index}`, text: `A note, number ${index}.` })}\n`,
      ).join(''),
    );
    const { stdout } = await stage.agon(['run', 'moderation', '--file', file, '--rounds', '1', '--detach', '--json']);
    const { run } = JSON.parse(stdout) as { run: string };
    await until(() => stage.provider.inFlight > 0, 20);
    worker.child.kill('SIGTERM');
    await pause(50);
    expect((await fetch(`${worker.probe}/readyz`)).status).toBe(503);
    expect(await worker.ended).toEqual({ code: 0, signal: null });
    expect(stage.provider.requests.every(({ aborted }) => !aborted)).toBe(true);
    const ledger = await openLedger({ url: stage.url });
    const counts = await ledger.runs.countItems(run);
    await ledger.close();
    expect(counts.running).toBe(0);
    expect(counts.done).toBeGreaterThan(0);
    expect(counts.done + counts.waiting).toBe(60);
  }, 120_000);

  test('goes on with a run that its budget stopped, when it is resumed with more', async () => {
    const budget = 60_000;
    await using stage = await openFleetStage({ script: { latencyMs: 20 } });
    await stage.worker('a', ['--concurrency', '4']);
    const file = path.join(stage.folder, 'items.jsonl');
    await writeFile(
      file,
      Array.from(
        { length: 40 },
        (_, index) => `${JSON.stringify({ id: `item-${index}`, text: `A note, number ${index}.` })}\n`,
      ).join(''),
    );
    const { stdout } = await stage.agon([
      'run',
      'moderation',
      '--file',
      file,
      '--rounds',
      '1',
      '--without',
      'retrieval,supporter',
      '--run-budget-tokens',
      String(budget),
      '--detach',
      '--json',
    ]);
    const { run } = JSON.parse(stdout) as { run: string };
    const ledger = await openLedger({ url: stage.url });
    try {
      await until(async () => (await ledger.runs.findRun(run))!.state === 'stopped', 60);
      expect((await ledger.runs.readCommitted(run)).tokens).toBeLessThanOrEqual(budget);
      const before = stage.calls.length;
      const resumed = await stage.agon([
        'runs',
        'resume',
        run,
        '--run-budget-tokens',
        '10000000',
        '--concurrency',
        '1',
      ]);
      expect(resumed.stderr).not.toContain('agon:');
      expect(resumed.code).toBe(0);
      expect(await ledger.runs.countItems(run)).toMatchObject({ done: 40, failed: 0 });
      expect(
        stage.calls.slice(before).some(({ worker }) => worker === 'a'),
        'the worker has part in it',
      ).toBe(true);
    } finally {
      await ledger.close();
    }
  }, 120_000);
});
