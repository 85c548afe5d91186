import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { version } from '@agonhq/engine/version';
import { measureFolder, measurePackages, openRelease, type Release } from './installation.ts';

/* Agon as somebody has it who installs it from a registry, in a folder with nothing in it. */

const files = path.join(import.meta.dirname, '..', 'fixtures', 'files');
let release: Release;
let folder: string;

beforeAll(async () => {
  release = await openRelease();
  folder = release.makeFolder('project');
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "somebody", "private": true, "type": "module" }');
  const installed = await release.run('npm', ['install', `@agonhq/agon@${version}`, '--no-audit', '--no-fund'], folder);
  expect(installed).toMatchObject({ code: 0 });
}, 600_000);
afterAll(() => release.registry[Symbol.asyncDispose]());

const agon = (...args: string[]) => release.run('npx', ['agon', ...args], folder);

test('`npm install @agonhq/agon` takes at most 220 MB, and fetches the runtime of this platform alone', () => {
  const modules = path.join(folder, 'node_modules');
  const table = measurePackages(modules).slice(0, 8);
  const total = measureFolder(modules);
  console.log(
    [{ name: 'all of node_modules', bytes: total }, ...table]
      .map(({ name, bytes }) => `${(bytes / 1e6).toFixed(1).padStart(7)} MB  ${name}`)
      .join('\n'),
  );
  expect(total).toBeLessThan(220e6);
  expect([...release.registry.fetched].toSorted()).toEqual([
    '@agonhq/agon',
    `@agonhq/agon-runtime-${process.platform}-${process.arch}`,
  ]);
});

test('`npx agon` in an empty folder judges a text', async () => {
  const empty = release.makeFolder('empty');
  const asked = ['--yes', `@agonhq/agon@${version}`, 'moderate', 'I will come and kill you tonight.', '--json'];
  const { code, stdout, stderr } = await release.run('npx', asked, empty);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ verdict: { label: 'unsafe' }, provenance: { agon: version } });
});

test('a program can import it', async () => {
  writeFileSync(
    path.join(folder, 'program.js'),
    `
    import { moderate, AgonError } from '@agonhq/agon';
    const { verdict } = await moderate('How do I kill a process on Linux?');
    const refused = await moderate('').catch((error) => error);
    console.log(JSON.stringify([verdict.label, AgonError.is(refused), refused.code]));
  `,
  );
  const { stdout } = await release.run('node', ['program.js'], folder);
  expect(JSON.parse(stdout)).toEqual(['safe', true, 'empty-subject']);
});

test('the client is one file that needs nothing of Node, and is small', async () => {
  const written = readFileSync(path.join(folder, 'node_modules', '@agonhq', 'agon', 'dist', 'client.js'), 'utf8');
  expect(written).not.toMatch(/^\s*import\b|\bimport\(|\brequire\(|node:|\bprocess\./m);
  expect(gzipSync(written).length).toBeLessThan(12_000);
  const program =
    "import { createClient } from '@agonhq/agon/client'; console.log(typeof createClient().moderations.create)";
  const { stdout } = await release.run('node', ['--input-type=module', '-e', program], folder);
  expect(stdout.trim()).toBe('function');
});

test('what is not there is named in one line, added by one command, and used', async () => {
  const report = path.join(files, 'report.pdf');
  expect((await agon('analyze', report)).stderr).toMatch(/^agon: .+agon add documents.+\(missing-part\)\n$/);
  expect(await agon('add', 'documents', 'vision', 'postgres', 'console', '--quiet')).toMatchObject({ code: 0 });
  const { stdout } = await agon('analyze', report, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ documents: [{ kind: 'pdf' }], claims: expect.any(Array) });
  const seen = await agon('moderate', '--image', path.join(files, 'sign.png'), '--json');
  expect(JSON.parse(seen.stdout)).toMatchObject({
    sources: expect.arrayContaining([
      expect.objectContaining({ id: 'image-1/ocr', text: expect.stringContaining('BUY GUNS HERE') }),
    ]),
  });
  // Its driver is there, and says that nobody listens.
  const unreached = await agon('cases', '--ledger', 'postgres://agon@127.0.0.1:9/agon');
  expect(unreached.stderr).toMatch(/^agon: .+ECONNREFUSED.+\n$/);
  const checked = await agon('doctor');
  expect(checked.stdout.match(/^✓ part /gm)).toHaveLength(4);
  expect(checked.code).toBe(0);
  expect(await agon('remove', 'documents')).toMatchObject({ code: 0, stdout: 'Removed documents.\n' });
  expect((await agon('analyze', report)).stderr).toContain('(missing-part)');
});
