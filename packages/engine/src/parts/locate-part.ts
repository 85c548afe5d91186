import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import { hashOf } from '../hash.ts';
import { catalogue, type CataloguePart } from './catalogue.ts';
import { findPartFolder } from './need-part.ts';
import { packageParts, type PackagePart } from './package-parts.ts';
import { partFolder, type PartsEnvironment } from './parts-folder.ts';

/** Everything that can be added: packages of ours, and models of others. */
export const everyPart: readonly (PackagePart | CataloguePart)[] = [...packageParts, ...catalogue];

/** The part of this id, or an error that names those there are. */
export function findPart(id: string): CataloguePart;
export function findPart<Listed extends { id: string }>(id: string, parts: readonly Listed[]): Listed;
export function findPart(id: string, parts: readonly { id: string }[] = catalogue): { id: string } {
  const part = parts.find((one) => one.id === id);
  if (part) return part;
  throw new AgonError(
    'unknown-part',
    `There is no part ${id}.`,
    `Parts that can be added: ${parts.map((one) => one.id).join(', ')}.`,
  );
}

/** A file of a part, where it would lie, and the hash that it is checked against. */
export interface LocatedFile {
  path: string;
  sha256: string;
}

export function locateFiles(part: CataloguePart, environment: PartsEnvironment): Record<string, LocatedFile> {
  const folder = partFolder(part, environment);
  return Object.fromEntries(
    Object.entries(part.files).map(([name, file]) => [
      name,
      { path: path.join(folder, path.basename(file.path)), sha256: file.sha256 },
    ]),
  );
}

/** Whether a package is found, or every file lies there in its size. Their hashes are checked as they are loaded. */
export async function hasPart(part: CataloguePart | PackagePart, environment: PartsEnvironment): Promise<boolean> {
  if ('brings' in part) return findPartFolder(part, environment) !== null;
  const folder = partFolder(part, environment);
  const found = await Promise.all(
    Object.values(part.files).map(async (file) => {
      const status = await stat(path.join(folder, path.basename(file.path))).catch(() => null);
      return status?.isFile() === true && status.size === file.bytes;
    }),
  );
  return found.every(Boolean);
}

/** What stands for a part in a configuration: the hash of its files' hashes. */
export function partDigest({ files }: CataloguePart): string {
  return hashOf(Object.fromEntries(Object.entries(files).map(([name, { sha256 }]) => [name, sha256])));
}
