import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { agon, oneLine } from '../support/run-agon.ts';

/** Each of these starts several processes. */
const patience = { timeout: 120_000 };

interface Shown {
  id: string;
  name: string;
  scopes: string[];
  reviewer: string | null;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
  key?: string;
}

/** The keys of an installation of its own. */
async function installation(home?: string) {
  const place = home ?? (await mkdtemp(path.join(tmpdir(), 'agon-keys-')));
  const keys = (args: readonly string[]) =>
    agon(['keys', ...args], {
      cwd: place,
      environment: { AGON_HOME: place, AGON_LEDGER: path.join(place, 'ledger.sqlite') },
    });
  return {
    home: place,
    keys,
    listed: async () =>
      (await keys(['list', '--json'])).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Shown),
  };
}

describe.concurrent('agon keys', patience, () => {
  test('create prints the key alone, and says that it is not shown again', async () => {
    const { keys, listed } = await installation();
    const { code, stdout, stderr } = await keys([
      'create',
      '--name',
      'Mara at the desk',
      '--scope',
      'read',
      '--scope',
      'review',
      '--reviewer',
      'mara',
      '--expires',
      '90d',
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^agon_[0-9a-f]{12}_[\w-]{43}\n$/);
    expect(stderr).toContain('Mara at the desk: read, review');
    expect(stderr).toContain('not shown again');
    expect(stderr).not.toContain(stdout.slice(18).trim());
    const rows = await listed();
    expect(rows).toMatchObject([
      {
        id: stdout.slice(5, 17),
        name: 'Mara at the desk',
        scopes: ['read', 'review'],
        reviewer: 'mara',
        lastUsedAt: null,
        revokedAt: null,
      },
    ]);
    expect(Math.round((Date.parse(rows[0]!.expiresAt!) - Date.now()) / 86_400_000)).toBe(90);
    expect(JSON.stringify(rows)).not.toContain(stdout.slice(18).trim());
  });

  test('list shows what became of each, and never a secret or its hash', async () => {
    const { keys } = await installation();
    const ci = JSON.parse((await keys(['create', '--name', 'ci', '--scope', 'judge,read', '--json'])).stdout) as Shown;
    await keys(['create', '--name', 'old', '--scope', 'admin']);
    expect(await keys(['revoke', ci.key!])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Revoked ${ci.id} (ci)`) as string,
    });
    const { stdout } = await keys(['list']);
    expect(stdout).toMatch(new RegExp(`^${ci.id} +ci +read, judge +– .+never +revoked 20`, 'm'));
    expect(stdout).toMatch(/ old +admin +– .+never +active$/m);
    for (const secret of [ci.key!.slice(18), 'sha256']) expect(stdout).not.toContain(secret);
  });

  test('list without a ledger says so in one line, and makes none', async () => {
    const { keys } = await installation();
    for (let times = 0; times < 2; times += 1)
      expect(await keys(['list'])).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/\(no-ledger\)\n$/) as string,
      });
  });

  test.each<[string, string[], RegExp]>([
    ['an unknown scope', ['create', '--name', 'a', '--scope', 'root'], /--scope: .+"read".+"admin"/],
    ['no scope', ['create', '--name', 'a'], /--scope/],
    ['no name', ['create', '--scope', 'read'], /--name/],
    [
      'a name that moves the cursor',
      ['create', '--name', 'a\u001b[2Jb', '--scope', 'read'],
      /--name: must be plain text/,
    ],
    [
      'an expiry that is not a time',
      ['create', '--name', 'a', '--scope', 'read', '--expires', 'soon'],
      /--expires soon is not a time\. Write a duration/,
    ],
  ])('%s is wrong usage, told in one line', async (_, args, says) => {
    const { code, stdout, stderr } = await (await installation()).keys(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(says);
  });

  test('an expiry in the past, and an id that is not there, fail in one line', async () => {
    const { keys } = await installation();
    expect(await keys(['create', '--name', 'a', '--scope', 'read', '--expires', '2020-01-01'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/\(bad-expiry\)\n$/) as string,
    });
    expect(await keys(['revoke', 'ffffffffffff'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/\(unknown-key\)\n$/) as string,
    });
  });
});
