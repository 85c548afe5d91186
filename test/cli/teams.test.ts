import { mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultPolicy, writePolicy } from '@agonhq/engine/policy';
import { openLedger } from '@agonhq/ledger';
import { agon } from '../support/run-agon.ts';
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

  test('a team that is added with a policy has it in force, and no other has', async () => {
    const rules = writePolicy(await defaultPolicy()).replace(/^name: .*$/m, 'name: Rules of the house');
    await writeFile(path.join(folder, 'house.yaml'), rules);
    expect((await run('teams', 'add', 'house', '--policy', 'house.yaml')).code).toBe(0);
    const inForce = async (team: string) => {
      const ledger = await openLedger({ file: path.join(folder, `ledger.team-${team}.sqlite`) });
      const found = await ledger.policies.findActivePolicy();
      await ledger.close();
      return found?.name;
    };
    expect(await inForce('house')).toBe('Rules of the house');
    expect(await inForce('acme')).toBeUndefined();
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
