import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** The release that docs/local-models.md names. */
const version = '3.22.1';

const binaries: Readonly<Record<string, string>> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Where tests keep what takes long to fetch, from one run to the next. */
export const testCache = process.env['AGON_TEST_CACHE'] || path.join(homedir(), '.cache', 'agon-tests');

/**
 * An AGON_HOME with node-llama-cpp in it. Fetched once from npm's registry, without its scripts and without what is for
 * graphics processors, which would be 344 MB more to fetch.
 */
export async function makeHomeWithLlama(): Promise<string> {
  const home = await mkdtemp(path.join(tmpdir(), 'agon-home-'));
  await symlink(path.join(await fetchLlama(), 'node_modules'), path.join(home, 'node_modules'), 'junction');
  return home;
}

async function fetchLlama(): Promise<string> {
  const folder = path.join(testCache, `node-llama-cpp-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(testCache, { recursive: true });
  const staging = await mkdtemp(path.join(testCache, '.llama-'));
  try {
    await writeFile(path.join(staging, 'package.json'), '{ "private": true }');
    const binary = `@node-llama-cpp/${binaries[`${process.platform}-${process.arch}`]}`;
    const packages = [`node-llama-cpp@${version}`, `${binary}@${version}`];
    const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...flags, ...packages], {
      cwd: staging,
      shell: process.platform === 'win32',
    });
    await rename(staging, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // Another process was faster.
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return folder;
}
