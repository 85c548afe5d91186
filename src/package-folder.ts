import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AgonError } from './errors.ts';

/** Agon's own folder, seen from any folder in it: source files and bundles lie at different depths. */
export async function packageFolder(from: string): Promise<string> {
  for (let folder = from; ; folder = dirname(folder)) {
    if ((await packageName(folder)) === 'agon') return folder;
    if (folder === dirname(folder)) break;
  }
  const hint = 'Install agon as a package instead of bundling it: it brings a policy and a model along.';
  throw new AgonError(
    'missing-package-folder',
    `Agon's own files were not found: no folder above ${from} is agon's.`,
    hint,
  );
}

async function packageName(folder: string): Promise<unknown> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return (manifest as { name?: unknown } | null)?.name;
  } catch {
    // No manifest, or somebody else's broken one: not ours either way.
    return undefined;
  }
}
