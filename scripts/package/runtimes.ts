import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npmName } from '@agonhq/engine/version';
import { sha256 } from '@agonhq/engine/hash';
import listed from '../../packages/runtime/files.json' with { type: 'json' };

/** A machine that models run on. */
export interface Platform {
  os: 'darwin' | 'linux' | 'win32';
  cpu: 'arm64' | 'x64';
  package: string;
}

/** Those that onnxruntime-node has binaries for. */
export const platforms: readonly Platform[] = (
  [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
    ['win32', 'x64'],
    ['win32', 'arm64'],
  ] as const
).map(([os, cpu]) => ({ os, cpu, package: `${npmName}-runtime-${os}-${cpu}` }));

const binaries = path.join('bin', 'napi-v6');

/**
 * Copies the binaries of one platform out of what npm installed here, with the JavaScript that loads them. Each must be
 * the one whose hash is in packages/runtime/files.json.
 */
export function layOutRuntime(root: string, platform: Platform, place: string): void {
  mkdirSync(place, { recursive: true });
  for (const name of ['README.md', 'LICENSE'])
    cpSync(path.join(root, 'packages', 'runtime', name), path.join(place, name));
  const runtime = path.join(root, 'node_modules', 'onnxruntime-node');
  for (const file of readdirSync(path.join(runtime, 'dist')).filter((name) => /\.(?:js|d\.ts)$/.test(name)))
    cpSync(path.join(runtime, 'dist', file), path.join(place, 'dist', file));
  for (const [from, to] of listBinaries(root, platform)) {
    const expected = (listed as Record<string, string>)[to];
    const found = sha256(readFileSync(from));
    if (found !== expected)
      throw new Error(`${from} has the hash ${found}, and packages/runtime/files.json ${expected}.`);
    cpSync(from, path.join(place, to));
  }
  const vectors = path.join(root, 'node_modules', 'usearch');
  for (const name of ['LICENSE', 'package.json', 'javascript/dist/cjs'])
    cpSync(path.join(vectors, name), path.join(place, 'usearch', name), { recursive: true });
}

/** Every binary of a platform: where npm put it, and where it lies in our package. */
export function listBinaries(root: string, { os, cpu }: Platform): [from: string, to: string][] {
  const folder = path.join(root, 'node_modules', 'onnxruntime-node', binaries, os, cpu);
  const files = readdirSync(folder)
    // The same library under the name of its whole version: nothing loads it by that.
    .filter((name) => !/^libonnxruntime\.\d+\.\d+\.\d+\.dylib$/.test(name))
    .map((name): [string, string] => [path.join(folder, name), path.posix.join('bin/napi-v6', os, cpu, name)]);
  // usearch has no build for every platform that onnxruntime has one for.
  const prebuilds = path.join(root, 'node_modules', 'usearch', 'prebuilds');
  const fitting = readdirSync(prebuilds).find(
    (name) => name.startsWith(`${os}-`) && name.slice(os.length).split(/[-+]/).includes(cpu),
  );
  if (fitting === undefined) return files;
  const vectors = path.join(prebuilds, fitting, 'usearch.node');
  if (!existsSync(vectors)) throw new Error(`${vectors} is missing.`);
  return [...files, [vectors, path.posix.join('usearch/prebuilds', fitting, 'usearch.node')]];
}
