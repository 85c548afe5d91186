import { execFile, spawn } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { version } from '../src/version.ts';
import { key, launcher, openCourt, outcomeOf, startAgon, until } from './support/run-agon.ts';
import { describeSlow, isWhole, slowTest } from './support/slow.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..');
const bin = path.join(root, 'node_modules', '.bin');
/** Node as the tests run it comes first, as it does for `npm test`. */
const environment = {
  ...process.env,
  PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
};

interface Packed {
  filename: string;
  files: { path: string }[];
}

/** Models that nothing here opens: they are packed and installed by name, for their bytes take long to press. */
const unopened = ['languages-2/first.onnx', 'eyes-1/nudity.onnx', 'eyes-1/objects.onnx'];

async function packInto(folder: string): Promise<Packed> {
  const staged = path.join(folder, 'published');
  await run(process.execPath, [path.join(root, 'scripts', 'make-package.ts'), staged]);
  for (const file of unopened) truncateSync(path.join(staged, 'models', file));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: staged,
    env: environment,
    maxBuffer: 32e6,
  });
  const packed = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  return Object.values(packed)[0]!;
}

let folder: string;
let packed: Packed;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'agon-installed-'));
  if (isWhole) packed = await packInto(folder);
}, 120_000);

slowTest('the package holds what runs and nothing else', () => {
  const files = packed.files.map((file) => file.path);
  for (const needed of [
    'package.json',
    'LICENSE',
    'NOTICES.md',
    'README.md',
    'bin/agon.js',
    'dist/cli.js',
    'dist/index.js',
    'dist/types/index.d.ts',
    'dist/client.js',
    'dist/types/client/index.d.ts',
    ...['ai', 'http', 'langchain', 'promptfoo'].flatMap((name) => [
      `dist/${name}.js`,
      `dist/types/integrations/${name}/index.d.ts`,
    ]),
    'dist/guard-worker.js',
    'policies/default.yaml',
    'models/guard-2/first.onnx',
    'models/guard-2/second.onnx',
    'models/guard-2/tokenizer.json',
    'models/guard-2/guard.json',
    'models/guard-2/weights.json',
    ...unopened.map((file) => `models/${file}`),
  ]) {
    expect(files).toContain(needed);
  }
  expect(files.filter((file) => /(^|\/)(test|src|bench|node_modules|\.ci)\/|\.test\.|tsconfig/.test(file))).toEqual([]);
});

test('in a clone `npx agon` starts what `npm ci` left behind, and installs nothing', async () => {
  await run(process.execPath, [path.join(root, 'scripts', 'link-command.ts')]);
  const cache = path.join(folder, 'npm-cache');
  const { stdout } = await run('npx', ['agon', '--version'], {
    cwd: path.join(root, 'docs'),
    env: { ...environment, npm_config_cache: cache },
  });
  expect(stdout.trim()).toBe(version);
  expect(existsSync(path.join(cache, '_npx'))).toBe(false);
});

describeSlow('installed into an empty folder', () => {
  beforeAll(async () => {
    await writeFile(path.join(folder, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
    await run(
      'npm',
      ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', `./${packed.filename}`],
      { cwd: folder, env: environment },
    );
  }, 120_000);

  test('`npx agon --version` answers', async () => {
    const { stdout } = await run('npx', ['agon', '--version'], { cwd: folder, env: environment });
    expect(stdout.trim()).toBe(version);
  });

  test('the command judges, with the policy that came along', async () => {
    const { panel } = await openCourt();
    const child = spawn(path.join(folder, 'node_modules', '.bin', 'agon'), ['moderate', 'Hello there', '--json'], {
      cwd: folder,
      env: {
        PATH: environment.PATH,
        AGON_HOME: folder,
        AGON_MODEL: 'fake:panel',
        FAKE_BASE_URL: `${panel.url}/v1`,
        FAKE_API_KEY: key,
      },
    });
    const { code, stdout, stderr } = await outcomeOf(child);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: { label: 'safe' },
      provenance: { agon: version, policy: { name: expect.any(String) } },
    });
  });

  test('a program can import it', async () => {
    const { panel } = await openCourt();
    const program = `
      import { moderate, AgonError } from 'agon';
      const settings = { seats: { default: 'fake:panel' }, providers: { fake: { baseUrl: '${panel.url}/v1' } } };
      const { verdict } = await moderate('Hello there', { settings });
      const refused = await moderate('', { settings }).catch((error) => error);
      console.log(JSON.stringify([verdict.label, AgonError.is(refused), refused.code]));
    `;
    await writeFile(path.join(folder, 'program.js'), program);
    const { stdout } = await run(process.execPath, ['program.js'], {
      cwd: folder,
      env: { ...environment, AGON_HOME: folder },
    });
    expect(JSON.parse(stdout)).toEqual(['safe', true, 'empty-subject']);
  });

  test('the client is one file that needs nothing of Node, and is small', async () => {
    const file = path.join(folder, 'node_modules', 'agon', 'dist', 'client.js');
    const written = readFileSync(file, 'utf8');
    expect(written).not.toMatch(/^\s*import\b|\bimport\(|\brequire\(|node:|\bprocess\./m);
    expect(gzipSync(written).length).toBeLessThan(12_000);
    const { stdout } = await run(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "import { createClient } from 'agon/client'; console.log(typeof createClient().moderations.create)",
      ],
      { cwd: folder, env: environment },
    );
    expect(stdout.trim()).toBe('function');
  });

  test('its types resolve under nodenext, strictly', async () => {
    await writeFile(
      path.join(folder, 'typed.ts'),
      `
      import { createAgon, moderate, type ModerationAnswer, type Settings } from 'agon';
      const settings: Settings = { seats: { default: 'openai:gpt-4o' }, moderation: { rounds: 1 } };
      export const answer: Promise<ModerationAnswer> = moderate('text', { settings });
      export const label: Promise<'safe' | 'unsafe' | 'undecided'> = answer.then(({ verdict }) => verdict.label);
      // @ts-expect-error A setting that does not exist is an error.
      export const wrong = createAgon({ seat: {} });
    `,
    );
    await writeFile(
      path.join(folder, 'typed-client.ts'),
      `
      import { AgonClientError, createClient, type EventStream } from 'agon/client';
      const client = createClient({ baseUrl: 'http://127.0.0.1:4100', key: 'agon_…' });
      export async function asked() {
        const { id, verdict } = await client.moderations.create({ text: 'Hello' });
        const label: 'safe' | 'unsafe' | 'undecided' = verdict.label;
        const { rows } = await client.cases.list({ label, escalated: true, limit: 10 });
        await client.moderations.feedback(id, { label: 'safe' });
        await client.runs.create({ job: 'moderation', files: [{ name: 'items.jsonl', data: '{}' }] });
        for await (const event of client.moderations.stream({ text: 'Hello' })) if (event.type === 'turn-end') event.turn.statement.trim();
        // @ts-expect-error A verdict is said in words of the contract.
        await client.moderations.feedback(id, { label: 'fine' });
        // @ts-expect-error A text is a text.
        await client.moderations.create({ text: 42 });
        // @ts-expect-error There is no such group.
        await client.verdicts.list();
        return rows.map((row) => row.openedAt satisfies string);
      }
      export const isClients = (error: unknown): string | null => (error instanceof AgonClientError ? error.hint : null);
      export type Stream = EventStream<{ type: string }, { id: string }>;
    `,
    );
    const flags = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--target',
      'es2024',
      '--types',
      '',
      'typed.ts',
      'typed-client.ts',
    ];
    const { stdout } = await run(path.join(bin, 'tsc'), flags, { cwd: folder, env: environment }).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
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
