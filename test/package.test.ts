import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { version } from '../src/version.ts';
import { launcher, openCourt, outcomeOf, startAgon, until } from './support/run-agon.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..');
/** Node as the tests run it comes first, as it does for `npm test`. */
const environment = {
  ...process.env,
  PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
};

test('in a clone `npx agon` starts what `npm ci` left behind, and installs nothing', async () => {
  await run(process.execPath, [path.join(root, 'scripts', 'link-command.ts')]);
  const cache = path.join(await mkdtemp(path.join(tmpdir(), 'agon-clone-')), 'npm-cache');
  const { stdout } = await run('npx', ['agon', '--version'], {
    cwd: path.join(root, 'docs'),
    env: { ...environment, npm_config_cache: cache },
  });
  expect(stdout.trim()).toBe(version);
  expect(existsSync(path.join(cache, '_npx'))).toBe(false);
});

test('`npm pack` in a clone names the command that puts packages together, and packs nothing', async () => {
  await expect(run('npm', ['pack', '--dry-run'], { cwd: root, env: environment })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npm run package') as string,
  });
});

/** The first Node on this machine that is too old for Agon. */
const oldNode = await findOldNode();

describe('under a Node that is too old', () => {
  test.runIf(!oldNode)('(no Node before 24 is on this machine: the two tests below were not run)', () => {
    expect(oldNode).toBeUndefined();
  });

  test.runIf(oldNode)('one line says what is missing', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'agon-old-'));
    await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
    copyFileSync(launcher, path.join(folder, 'agon.js'));
    const ran = await outcomeOf(spawn(oldNode!, [path.join(folder, 'agon.js'), '--version'], { cwd: folder }));
    expect(ran).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^agon: Agon needs Node 24 or newer; this is v\d+\.\S+\. Install Node 24.+\(old-node\)\n$/,
      ),
    });
  });

  test.runIf(oldNode)('the Node that was installed beside it takes over, Ctrl-C included', async () => {
    expect(await startAgon(['--version'], { node: oldNode! }).ended).toMatchObject({ code: 0, stdout: `${version}\n` });

    const court = await openCourt(() => ({ kind: 'hang' }));
    const child = spawn(oldNode!, [launcher, 'moderate', 'Hello'], { cwd: court.folder, detached: true });
    const ended = outcomeOf(child);
    await until(() => court.panel.inFlight > 0);
    process.kill(-child.pid!, 'SIGINT'); // To all of them, as a terminal does.
    expect(await ended).toMatchObject({
      code: 130,
      stderr: expect.stringMatching(/^agon: Judging was stopped\. .+\n$/),
    });
  });
});

async function findOldNode(): Promise<string | undefined> {
  const candidates = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, 'node'));
  for (const candidate of candidates.filter((file) => existsSync(file))) {
    const { stdout } = await run(candidate, ['--version']);
    if (Number.parseInt(stdout.slice(1), 10) < 24) return candidate;
  }
  return undefined;
}
