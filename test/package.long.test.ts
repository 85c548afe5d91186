import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { version } from '@agonhq/engine/version';
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
  test.runIf(!oldNode)('(no Node before 24 is on this machine: the tests that need one were not run)', () => {
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

/** What programs import and an older Node cannot run. agon/client it can. */
const entries = Object.entries(manifest.exports).flatMap(([name, place]) =>
  typeof place === 'string' || name === './client' ? [] : [[name, path.join(root, place.default)] as const],
);
const lacksNode = /^Agon needs Node 24 or newer; this is v\S+\. Install Node 24.+\(old-node\)$/;

/** Says what an import ends with. */
const importing = (file: string) =>
  `import(${JSON.stringify(file)}).then(() => console.log('imported'), ({ message }) => console.log(message))`;

describe.each(entries)('%s of a program', (_name, file) => {
  test('says in one line that an older Node is too old, before anything else of it runs', async () => {
    const older = `Object.defineProperty(process.versions, 'node', { value: '22.0.0' }); ${importing(file)}`;
    expect((await run(process.execPath, ['--eval', older])).stdout.trim()).toMatch(lacksNode);
    expect((await run(process.execPath, ['--eval', importing(file)])).stdout.trim()).toBe('imported');
  });

  test('names no import that Node 20 lacks, at which it would end before it says so', () => {
    const newer = /\b(?:registerHooks|findPackageJSON|enableCompileCache|stripTypeScriptTypes|crc32|styleText|glob)\b/;
    const named = listStaticImports(file).filter(({ from }) => from.startsWith('node:'));
    expect(named.filter(({ names, from }) => from === 'node:sqlite' || newer.test(names))).toEqual([]);
  });

  test.runIf(oldNode)('says so under an older Node', async () => {
    expect((await run(oldNode!, ['--eval', importing(file)])).stdout.trim()).toMatch(lacksNode);
  });
});

/** What a built file imports by name when it is loaded, and what those files do. */
function listStaticImports(file: string, seen = new Set<string>()): { names: string; from: string }[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?:([^"]*?) from )?"([^"]+)";$/gm)].flatMap(
    ([, names = '', from = '']) => [
      { names, from },
      ...(from.startsWith('.') ? listStaticImports(path.join(path.dirname(file), from), seen) : []),
    ],
  );
}

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
