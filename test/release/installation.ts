import { execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startNpmRegistry, type NpmRegistry } from '../support/npm-registry.ts';
import { outcomeOf, type Ran } from '../support/run-agon.ts';

/** Our packages as they are published, and a registry of this machine's own that has them. */
export interface Release {
  folder: string;
  registry: NpmRegistry;
  /** A new folder with nothing in it. */
  makeFolder(name: string): string;
  /** Runs a program of PATH as somebody would who has nothing but Node, npm and a home of their own. */
  run(command: string, args: readonly string[], cwd: string, environment?: Record<string, string>): Promise<Ran>;
}

const root = path.join(import.meta.dirname, '..', '..');

/** Makes every package and starts the registry. */
export async function openRelease(): Promise<Release> {
  const folder = mkdtempSync(path.join(tmpdir(), 'agon-release-'));
  const packages = path.join(folder, 'packages');
  const script = path.join(root, 'scripts', 'package', 'make-packages.ts');
  await promisify(execFile)(process.execPath, [script, packages]);
  const makeFolder = (name: string) => {
    const made = path.join(folder, name);
    mkdirSync(made);
    return made;
  };
  const registry = await startNpmRegistry(packages, makeFolder('tarballs'));
  const home = makeFolder('home');
  return {
    folder,
    registry,
    makeFolder,
    run(command, args, cwd, environment = {}) {
      const child = spawn(command, args, {
        cwd,
        env: {
          ...networkEnvironment(),
          PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env['PATH']}`,
          HOME: home,
          npm_config_registry: registry.url,
          npm_config_cache: path.join(home, 'npm-cache'),
          npm_config_loglevel: 'error',
          npm_config_update_notifier: 'false',
          ...environment,
        },
      });
      child.stdin.end();
      return outcomeOf(child);
    },
  };
}

/** How this machine reaches a registry: certificates and proxies. */
export function networkEnvironment(): Record<string, string> {
  const names = /^(?:https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name))) as Record<string, string>;
}

/** What a folder takes on a disk, in bytes. */
export function measureFolder(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).blocks * 512, 0);
}

/** What npm installed, the largest first. */
export function measurePackages(folder: string): { name: string; bytes: number }[] {
  return readdirSync(folder)
    .filter((name) => statSync(path.join(folder, name)).isDirectory())
    .map((name) => ({ name, bytes: measureFolder(path.join(folder, name)) }))
    .toSorted((one, other) => other.bytes - one.bytes);
}
