import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import repository from '../../package.json' with { type: 'json' };
import { packageParts } from '@agonhq/engine/parts/package-parts';
import { leastEnvironment } from '../support/least-environment.ts';
import { oneLine, outcomeOf, type Ran } from '../support/run-agon.ts';
import { slowTest } from '../support/slow.ts';

/*
 * The package as it is published, without its parts. It is laid out and not installed, so that npm is not needed:
 * `npm run release:check` installs it.
 */

const root = path.join(import.meta.dirname, '..', '..');
const files = path.join(root, 'test', 'fixtures', 'files');
let folder: string;
let core: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agon-core-'));
  const script = path.join(root, 'scripts', 'package', 'make-packages.ts');
  execFileSync(process.execPath, [script, folder, '@agonhq/agon', '@agonhq/agon-documents']);
  core = path.join(folder, '@agonhq', 'agon');
  symlinkSync(path.join(root, 'node_modules'), path.join(core, 'node_modules'));
});

async function agon(args: readonly string[], environment: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [path.join(core, 'bin', 'agon.js'), ...args], {
    cwd: folder,
    env: {
      ...leastEnvironment(),
      AGON_HOME: path.join(folder, 'home'),
      AGON_PARTS: path.join(folder, 'parts'),
      ...environment,
    },
  });
  child.stdin.end();
  return outcomeOf(child);
}

test('the package holds what runs and nothing else', () => {
  const listed = readdirSync(core, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.startsWith('node_modules'));
  for (const needed of [
    'LICENSE',
    'NOTICES.md',
    'README.md',
    'bin/agon.js',
    'dist/cli.js',
    'dist/index.js',
    'dist/types/core/src/index.d.ts',
    'dist/client.js',
    'dist/types/server/src/client/index.d.ts',
    ...['ai', 'http', 'langchain', 'promptfoo'].flatMap((name) => [
      `dist/${name}.js`,
      `dist/types/core/src/integrations/${name}/index.d.ts`,
    ]),
    'dist/guard-worker.js',
    'dist/console/verifier.html',
    'dist/report/render-report.js',
    'dist/licences.txt',
    'policies/default.yaml',
    'models/guard-2/second.onnx',
    'models/guard-2/glance.onnx',
    'models/languages-2/first.onnx',
  ])
    expect(listed).toContain(needed);
  expect(
    listed.filter((file) => /(^|\/)(test|bench|scripts|\.ci)\/|^(?!dist\/types\/).*src\/|\.test\.|tsconfig/.test(file)),
  ).toEqual([]);
  for (const ofPart of ['models/images-1', 'dist/console/index.html']) expect(listed).not.toContain(ofPart);
  const bytes = listed.reduce((sum, file) => sum + statSync(path.join(core, file)).size, 0);
  expect(bytes).toBeLessThan(140e6);
});

test('what npm is asked to install is neither bundled nor of a part, and the runtime is for one platform', () => {
  const published = JSON.parse(readFileSync(path.join(core, 'package.json'), 'utf8')) as {
    private?: boolean;
    bin: Record<string, string>;
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  expect(published).not.toHaveProperty('private');
  expect(published.bin).toEqual({ agon: 'bin/agon.js' });
  for (const name of [...packageParts.flatMap(({ brings }) => brings), 'ai', 'onnxruntime-node', 'usearch'])
    expect(published.dependencies).not.toHaveProperty(name);
  expect(published.optionalDependencies).toMatchObject({ '@agonhq/agon-runtime-linux-x64': repository.version });
});

test('its types name nothing that is not installed with it', () => {
  const published = JSON.parse(readFileSync(path.join(core, 'package.json'), 'utf8')) as Record<string, object>;
  const installed = new Set(['dependencies', 'peerDependencies'].flatMap((kind) => Object.keys(published[kind]!)));
  const types = path.join(core, 'dist', 'types');
  const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  const named = /^(?:import|export) [^;]*? from ["']([^."'][^"']*)["']|\bimport\("([^."][^"]*)"\)/gm;
  const foreign = files.flatMap((file) =>
    [...readFileSync(path.join(types, file), 'utf8').matchAll(named)]
      .map(([, from, inPlace]) => (from ?? inPlace)!)
      .filter((name) => !name.startsWith('node:') && !installed.has(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0]))
      .map((name) => `${file} names ${name}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(foreign).toEqual([]);
});

test('a text is judged, and what needs a part says in one line which, and how to add it', async () => {
  const judged = await agon(['moderate', 'How do I kill a process on Linux?', '--json']);
  expect(judged).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(judged.stdout)).toMatchObject({ verdict: { label: 'safe' } });

  for (const [part, args] of [
    ['documents', ['analyze', path.join(files, 'report.pdf')]],
    ['vision', ['moderate', '--image', path.join(files, 'sign.png')]],
    ['postgres', ['cases', '--ledger', 'postgres://agon@127.0.0.1:9/agon']],
  ] as const) {
    const { code, stderr } = await agon(args);
    expect(code).toBe(1);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(
      new RegExp(`the part ${part}, which is not installed\\. .*agon add ${part}.*\\(missing-part\\)`),
    );
  }
});

slowTest('a part that lies beside it, as a dependency of the same project, is used', async () => {
  const beside = path.join(folder, 'node_modules', '@agonhq/agon-documents');
  mkdirSync(path.dirname(beside), { recursive: true });
  symlinkSync(path.join(folder, '@agonhq/agon-documents'), beside);
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, '@agonhq/agon-documents', 'node_modules'));
  const { code, stdout } = await agon(['analyze', path.join(files, 'report.pdf'), '--json']);
  expect([0, 2]).toContain(code);
  expect(JSON.parse(stdout)).toMatchObject({ documents: [{ name: 'report.pdf', kind: 'pdf' }] });
  expect((await agon(['add', '--list'])).stdout).toMatch(/✓ documents .+\n(.*\n)*– vision/);
});
