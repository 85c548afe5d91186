import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFleetStage, type FleetStage } from '../support/fleet-stage.ts';
import { agon } from '../support/run-agon.ts';
import { until } from '../support/until.ts';

describe('agon worker, for teams that share a database', () => {
  let stage: FleetStage;

  beforeAll(async () => {
    stage = await openFleetStage({
      script: { latencyMs: 30 },
      model: { concurrency: 6 },
      settings: { moderation: { method: 'judge' } },
    });
    return () => stage[Symbol.asyncDispose]();
  }, 60_000);

  const submit = async (team: string, count: number) => {
    const file = path.join(stage.folder, `${team}.jsonl`);
    const lines = Array.from({ length: count }, (_, number) =>
      JSON.stringify({ id: `i-${number}`, text: `Note ${number}.` }),
    );
    await writeFile(file, lines.join('\n'));
    const { code, stderr } = await stage.agon([
      'run',
      'moderation',
      '--file',
      file,
      '--name',
      team,
      '--detach',
      '--team',
      team,
    ]);
    expect([code, stderr]).toEqual([0, expect.anything()]);
  };
  const stateOf = async (team: string) =>
    JSON.parse(
      (
        await agon(['runs', 'show', team, '--team', team, '--json'], {
          cwd: stage.folder,
          environment: { AGON_LEDGER: stage.url, AGON_HOME: path.join(stage.folder, 'home') },
        })
      ).stdout,
    ) as { state: string };
  const ended = (team: string) =>
    expect.poll(async () => (await stateOf(team)).state, { timeout: 60_000, interval: 100 }).toBe('finished');

  test('a small run of one team does not wait for a large one of another; limits hold over both', async () => {
    for (const team of ['large', 'small']) expect((await stage.agon(['teams', 'add', team])).code).toBe(0);
    await submit('large', 300);
    const worker = await stage.worker('one', ['--concurrency', '8']);
    await until(() => Promise.resolve(stage.calls.length > 40), 30);
    const readFigures = async () => (await fetch(`${worker.probe}/metrics`)).text();
    const [early] = await Promise.all([readFigures(), submit('small', 20)]);
    expect(early).toMatch(/^agon_queue_items\{team="large"\} [1-9]\d*$/m);
    await ended('small');
    expect((await stateOf('large')).state).toBe('running');
    await ended('large');
    const figures = await readFigures();
    expect(figures).toMatch(/^agon_worker_items_judged_total 320$/m);
    expect(figures).toMatch(/^agon_queue_items 0$/m);
    expect(figures).toMatch(/^agon_queue_items\{team="large"\} 0$/m);
    expect(stage.calls).toHaveLength(320);
    expect(mostAtOnce(stage.calls)).toBeLessThanOrEqual(6);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toEqual({ code: 0, signal: null });
  }, 180_000);
});

function mostAtOnce(calls: FleetStage['calls']): number {
  const steps = calls.flatMap(({ startedAt, endedAt }) => [
    [startedAt, 1],
    [endedAt ?? Infinity, -1],
  ]);
  let now = 0;
  let most = 0;
  for (const [, step] of steps.toSorted(([a, x], [b, y]) => a! - b! || x! - y!)) most = Math.max(most, (now += step!));
  return most;
}
