import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openFleetStage, type FleetStage } from '../support/fleet-stage.ts';
import { agon } from '../support/run-agon.ts';
import { until } from '../support/until.ts';

describe('agon teams, with a ledger in a file', () => {
  let folder: string;
  const run = (...args: string[]) =>
    agon(args, {
      cwd: folder,
      environment: { AGON_LEDGER: path.join(folder, 'ledger.sqlite'), AGON_HOME: path.join(folder, 'home') },
    });

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'agon-teams-'));
    await writeFile(path.join(folder, 'acme.yaml'), 'sensitivity: high\nserver: { keepContentsDays: 30 }\n');
  });

  test('adds a team with settings of its own, and says how to go on', async () => {
    const added = await run('teams', 'add', 'acme', '--settings', 'acme.yaml');
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('agon keys create --team acme') });
    expect((await run('teams')).stdout).toMatch(/acme .* sensitivity, server/);
    expect(await readdir(folder)).toContain('ledger.team-acme.sqlite');
  });

  test('a key of a team names it, and is found only there', async () => {
    const { stdout } = await run('keys', 'create', '--team', 'acme', '--name', 'admin', '--scope', 'admin');
    expect(stdout).toMatch(/^agon_acme_[0-9a-f]{12}_[\w-]{43}\n$/);
    expect((await run('keys', 'list', '--team', 'acme')).stdout).toContain('admin');
    expect((await run('keys', 'list')).stdout).toContain('There are no keys yet');
  });

  test('what one team judged, the other does not know', async () => {
    await run('teams', 'add', 'bolt');
    const judged = await run('moderate', '--team', 'acme', '--json', 'How do I kill a process on Linux?');
    const { id, provenance } = JSON.parse(judged.stdout) as { id: string; provenance: { sensitivity: string } };
    expect(provenance.sensitivity).toBe('high');
    expect((await run('show', id, '--team', 'acme')).code).toBe(0);
    expect(await run('show', id, '--team', 'bolt')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown-case'),
    });
    expect((await run('show', id)).code).toBe(1);
    const byEnvironment = await agon(['show', id], {
      cwd: folder,
      environment: {
        AGON_LEDGER: path.join(folder, 'ledger.sqlite'),
        AGON_HOME: path.join(folder, 'home'),
        AGON_TEAM: 'acme',
      },
    });
    expect(byEnvironment.code).toBe(0);
  });

  test.each([
    [['teams', 'add', 'acme'], 'team-exists'],
    [['teams', 'add', 'Acme Inc'], 'bad-team-name'],
    [['teams', 'remove', 'nobody', '--yes'], 'unknown-team'],
    [['keys', 'list', '--team', 'nobody'], 'unknown-team'],
    [['keys', 'list', '--team', '../acme'], 'bad-team-name'],
  ])('%j is refused', async (args, code) => {
    expect(await run(...args)).toMatchObject({ stderr: expect.stringContaining(`(${code})`) });
  });

  test('a team sets neither addresses of providers nor files of the machine', async () => {
    for (const [name, settings] of [
      ['server.port', { server: { port: 1 } }],
      ['providers.openai.baseUrl', { providers: { openai: { baseUrl: 'http://127.0.0.1:1' } } }],
      ['policy', { policy: '/etc/passwd' }],
      ['cache.directory', { cache: { directory: '/tmp' } }],
    ] as const) {
      await writeFile(path.join(folder, 'bad.json'), JSON.stringify(settings));
      const { code, stderr } = await run('teams', 'set', 'acme', '--settings', 'bad.json');
      expect([name, code, stderr]).toEqual([name, 1, expect.stringContaining(`${name} is for the installation`)]);
    }
  });

  test('removing one asks for --yes and says how to back it up; a legal hold keeps it', async () => {
    const asked = await run('teams', 'remove', 'acme');
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('agon ledger backup --team acme') });
    await run('holds', 'place', '--team', 'acme', '--author', 'user-1', '--reason', 'A lawsuit');
    expect(await run('teams', 'remove', 'acme', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('legal-hold'),
    });
    expect((await run('teams', 'remove', 'bolt', '--yes')).code).toBe(0);
    expect((await readdir(folder)).filter((name) => name.includes('bolt'))).toEqual([]);
    expect((await run('teams')).stdout).not.toContain('bolt');
  });

  test('ledger upgrade looks after every team', async () => {
    const { code, stdout } = await run('ledger', 'upgrade', '--all-teams', '--no-backup');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/up to date.*\nTeam acme:\n.*up to date/)]);
  });
});

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
