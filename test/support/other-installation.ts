import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { outcomeOf, type Ran } from './run-agon.ts';
import { leastEnvironment } from './least-environment.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** An Agon in a folder of its own, as it was built, whose guard model may be another. */
export interface Installation {
  start(args: readonly string[], environment: Record<string, string>): { child: ChildProcess; ended: Promise<Ran> };
  agon(args: readonly string[], environment: Record<string, string>): Promise<Ran>;
}

/** What is said of the guard in its manifest instead of the truth. */
interface OtherGuard {
  id?: string;
  /** The hash of its file: the same name, and other weights. */
  hash?: string;
}

/** Installs Agon from what was built here; the guard's manifest, beside its files and in the code, is another. */
export function installAgon(other: OtherGuard = {}): Installation {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-installation-'));
  const models = path.join(folder, 'models');
  const manifest = describeGuard(readFileSync(path.join(root, 'models', 'guard-2', 'guard.json'), 'utf8'), other);
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  for (const name of ['assets', 'policies', 'precedents']) symlinkSync(path.join(root, name), path.join(folder, name));
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  mkdirSync(path.join(models, 'guard-2'), { recursive: true });
  for (const model of readdirSync(path.join(root, 'models')))
    if (model !== 'guard-2') symlinkSync(path.join(root, 'models', model), path.join(models, model));
  for (const file of readdirSync(path.join(root, 'models', 'guard-2')))
    if (file !== 'guard.json')
      symlinkSync(path.join(root, 'models', 'guard-2', file), path.join(models, 'guard-2', file));
  writeFileSync(path.join(models, 'guard-2', 'guard.json'), JSON.stringify(manifest));
  rewriteManifest(path.join(folder, 'dist'), manifest);

  const start: Installation['start'] = (args, environment) => {
    const child = spawn(process.execPath, [path.join(folder, 'bin', 'agon.js'), ...args], {
      cwd: folder,
      env: { ...leastEnvironment(), NODE_NO_WARNINGS: '1', ...environment },
    });
    child.stdin.end();
    return { child, ended: outcomeOf(child) };
  };
  return { start, agon: (args, environment) => start(args, environment).ended };
}

interface GuardManifest {
  id: string;
  sha256: Record<string, string>;
}

function describeGuard(json: string, { id, hash }: OtherGuard): GuardManifest {
  const manifest = JSON.parse(json) as GuardManifest;
  return {
    ...manifest,
    id: id ?? manifest.id,
    sha256: hash === undefined ? manifest.sha256 : { ...manifest.sha256, 'first.onnx': hash },
  };
}

/** The bundler puts the manifest into the code, under the name of its file. */
function rewriteManifest(dist: string, manifest: GuardManifest): void {
  const bundled = /(?<=^\/\/ models\/guard-2\/guard\.json\nvar \S+ = )\{.*?^\}(?=;$)/ms;
  const files = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ file: path.join(dist, name), code: readFileSync(path.join(dist, name), 'utf8') }))
    .filter(({ code }) => bundled.test(code));
  if (files.length !== 1) throw new Error(`The manifest of the guard is in ${files.length} files of dist, not in one.`);
  for (const { file, code } of files)
    writeFileSync(
      file,
      code.replace(bundled, () => JSON.stringify(manifest)),
    );
}
