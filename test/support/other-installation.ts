import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { outcomeOf, type Ran } from './run-agon.ts';

const root = path.join(import.meta.dirname, '..', '..');

/** An Agon in a folder of its own, run from its sources, whose guard model may be another. */
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

/** Installs Agon from this working tree; the guard's folder is a copy with another manifest. */
export function installAgon({ id, hash }: OtherGuard = {}): Installation {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-installation-'));
  cpSync(path.join(root, 'src'), path.join(folder, 'src'), {
    recursive: true,
    filter: (file) => !file.endsWith('.test.ts'),
  });
  cpSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  for (const name of ['assets', 'policies', 'precedents', 'node_modules'])
    symlinkSync(path.join(root, name), path.join(folder, name));
  for (const model of readdirSync(path.join(root, 'models'))) {
    mkdirSync(path.join(folder, 'models', model), { recursive: true });
    for (const file of readdirSync(path.join(root, 'models', model))) {
      const [from, to] = [root, folder].map((place) => path.join(place, 'models', model, file)) as [string, string];
      if (model !== 'guard-2' || file !== 'guard.json') symlinkSync(from, to);
      else writeFileSync(to, JSON.stringify(describeGuard(readFileSync(from, 'utf8'), { id, hash })));
    }
  }

  const start: Installation['start'] = (args, environment) => {
    const child = spawn(process.execPath, [path.join(folder, 'src', 'cli', 'main.ts'), ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH']!, NODE_NO_WARNINGS: '1', ...environment },
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
