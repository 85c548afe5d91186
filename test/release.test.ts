import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { publishedDependencies } from '../scripts/package/list-dependencies.ts';
import { sha256 } from '@agonhq/engine/hash';

/* What is released: `npm run release:check`. */

const root = path.join(import.meta.dirname, '..');
const check = (folder?: string) => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(root, 'scripts/check-release.ts'), ...(folder ? [folder] : [])],
    { cwd: root, encoding: 'utf8' },
  );
  return { status, stdout };
};

test('what is shipped is in the bill of materials, under terms we know, with models as they were measured', () => {
  const { status, stdout } = check();
  expect(stdout).not.toContain('✗');
  expect(status).toBe(0);
  for (const command of ['npm audit --omit dev', 'npm audit signatures', 'npm publish --provenance']) {
    expect(stdout).toContain(`the release workflow runs \`${command}\``);
    expect(readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8')).toContain(command);
  }
  const { components } = JSON.parse(readFileSync(path.join(root, 'artifacts/sbom.cdx.json'), 'utf8')) as {
    components: { name: string }[];
  };
  const names = new Set(components.map(({ name }) => name));
  expect(Object.keys(publishedDependencies).filter((name) => !names.has(name))).toEqual([]);
  expect(names).not.toContain('vitest');
});

test('a licence that nobody read, a script that nobody allowed, terms left out and another model are each named', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-release-'));
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), content);
  };
  const dependencies = { closed: '1.0.0', busy: '1.0.0' };
  write('package.json', JSON.stringify({ name: 'somebody', version: '1.0.0', dependencies }));
  write(
    'package-lock.json',
    JSON.stringify({
      name: 'somebody',
      version: '1.0.0',
      lockfileVersion: 3,
      packages: {
        '': { name: 'somebody', version: '1.0.0', dependencies },
        'node_modules/closed': { version: '1.0.0', license: 'SSPL-1.0' },
        'node_modules/busy': { version: '1.0.0', license: '(MIT OR GPL-3.0-or-later)', hasInstallScript: true },
      },
    }),
  );
  write('dist/licences.txt', 'quiet 1.0.0 (MIT)');
  write('dist/client-licences.txt', 'spoken 1.0.0 (MIT)\n\nMIT License');
  write(
    'models/guard-9/guard.json',
    JSON.stringify({ sha256: { 'first.onnx': sha256('one'), 'second.onnx': sha256('two') } }),
  );
  write('models/guard-9/first.onnx', 'one');
  write('models/guard-9/second.onnx', 'another');
  const { status, stdout } = check(folder);
  expect(status).toBe(1);
  expect(stdout.match(/^ {4}.*$/gm)?.map((line) => line.trim())).toEqual([
    'closed 1.0.0 says SSPL-1.0',
    'dist/licences.txt: quiet has no text of its licence beside it',
    'dist/console/licences.txt is not there: run `npm run build`',
    'dist/report/licences.txt is not there: run `npm run build`',
    'busy is not listed in allowScripts of package.json',
    'models/guard-9/second.onnx has another hash than its manifest says',
  ]);
});
