import { access, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../../../models/eyes-1/eyes.json' with { type: 'json' };
import { AgonError } from '../../errors.ts';
import { hashOf, sha256 } from '../../hash.ts';
import { packageFolder } from '../../package-folder.ts';
import { findPart, locateFiles } from '../../parts/index.ts';

export interface PartFile {
  path: string;
  sha256: string;
}

interface Listed {
  file: string;
  /** The npm package that carries the file; without one it lies in Agon's own folder. */
  package?: string;
  sha256: string;
}

interface Places {
  environment?: Record<string, string | undefined>;
  /** Finds a file of a package; throws where the package is not installed. */
  resolve?: (name: string) => string;
}

/**
 * Every file that the eyes work with, by part, with the hash that it is checked against: in Agon's own folder, in the
 * package that npm brings, or else where `agon models add vision` puts it.
 */
export async function locateParts({
  environment = process.env,
  resolve = createRequire(import.meta.url).resolve,
}: Places = {}): Promise<Record<string, PartFile>> {
  const own = join(await packageFolder(import.meta.dirname), 'models', manifest.id);
  const added = locateFiles(findPart('vision'), environment);
  const entries = Object.entries(manifest.parts as Record<string, Listed>);
  return Object.fromEntries(
    entries.map(([part, { file, package: name, sha256: hash }]) => {
      const folder = name === undefined ? own : findPackage(name, resolve);
      return [part, folder === null ? added[part]! : { path: join(folder, file), sha256: hash }];
    }),
  );
}

/** Refuses to read text in images where the models for it are nowhere, and says how to get them. */
export async function requireReading(files: Readonly<Record<string, PartFile>>): Promise<void> {
  const needed = Object.keys(findPart('vision').files).map((part) => files[part]!.path);
  const found = await Promise.all(
    needed.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  if (found.every(Boolean)) return;
  throw new AgonError('missing-part', 'Text in images cannot be read: the part vision is not there.', {
    library: 'Add it with `agon models add vision`, or judge without OCR (moderation.ocr: false).',
    cli: 'Add it with `agon models add vision`, or judge without OCR (--no-ocr).',
    api: 'Whoever runs the server adds it with `agon models add vision`.',
  });
}

/** Reads every file of the eyes, and refuses one that is missing or not the one that was shipped. */
export async function checkParts(): Promise<{ files: number; bytes: number }> {
  let bytes = 0;
  const parts = Object.values(await locateParts());
  const added = new Set(Object.values(locateFiles(findPart('vision'), process.env)).map(({ path }) => path));
  for (const { path, sha256: expected } of parts) {
    const content = await readFile(path).catch((cause: unknown) => {
      const hint = added.has(path) ? 'Add it: agon models add vision' : 'Install agon again.';
      throw new AgonError('missing-eyes', `${path} is missing.`, hint, { cause });
    });
    if (sha256(content) !== expected)
      throw new AgonError('missing-eyes', `${path} is not the file that was shipped.`, 'Install agon again.');
    bytes += content.length;
  }
  return { files: parts.length, bytes };
}

/** Counts how sights are put into words; what the same networks are said to see differs between two editions. */
const edition = 2;

/**
 * What stands for the eyes in a case: their networks, how their sights are worded, and whether they can read here. An
 * image that is judged again with other eyes is another case, and the answer on record stays.
 */
export async function digestEyes(places?: Places): Promise<string> {
  const canRead = await requireReading(await locateParts(places)).then(
    () => true,
    (error: unknown) => {
      if (AgonError.is(error) && error.code === 'missing-part') return false;
      throw error;
    },
  );
  return hashOf([manifest.digest, { edition, canRead }]);
}

/** The folder of a package; null where it is not installed. */
function findPackage(name: string, resolve: (name: string) => string): string | null {
  try {
    // The package exports no path but this one.
    return dirname(resolve(`${name}/node`));
  } catch {
    return null;
  }
}
