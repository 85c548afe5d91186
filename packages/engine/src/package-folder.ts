import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AgonError } from './agon-error.ts';
import { npmName } from './version.ts';

/** Agon's own folder, seen from any folder in it: source files and bundles lie at different depths. */
export function packageFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (packageName(folder) === npmName) return folder;
    if (folder === dirname(folder)) throw missingFolder(from);
  }
}

/** A file of assets/: styles and scripts of pages, lists of words. */
export function readAsset(name: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, 'assets', name);
    if (existsSync(file)) return readFileSync(file, 'utf8');
    if (folder === dirname(folder)) throw missingFolder(import.meta.dirname);
  }
}

function missingFolder(from: string): AgonError {
  return new AgonError(
    'missing-package-folder',
    `Agon's own files were not found: no folder above ${from} is agon's.`,
    'Install agon as a package instead of bundling it: it brings a policy and a model along.',
  );
}

function packageName(folder: string): unknown {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return (manifest as { name?: unknown } | null)?.name;
  } catch {
    // No manifest, or somebody else's broken one: not ours either way.
    return undefined;
  }
}
