import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import { hashOf } from '../hash.ts';
import { catalogue, type CataloguePart } from './catalogue.ts';
import { packageParts, type PackagePart, type PackagePartId } from './package-parts.ts';
import { partFolder, type PartsEnvironment } from './parts-folder.ts';
import { existsSync, readFileSync } from 'node:fs';
import nodeModule from 'node:module';
import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../package-folder.ts';

/**
 * The folder of a part that this work cannot do without; from then on, in this thread, its packages are imported as if
 * they were Agon's own. Refuses in one line where the part is not there.
 *
 * @example needPart('vision'); const { default: sharp } = await import('sharp');
 */
export function needPart(id: PackagePartId, environment: PartsEnvironment = process.env): string {
  const known = inUse.get(id);
  if (known !== undefined) return known;
  const part: PackagePart = packageParts.find((one) => one.id === id)!;
  const folder = findPartFolder(part, environment);
  if (folder === null) throw missingPart(part);
  if (folder !== ownFolder() && part.brings.length > 0) lendPackages(part, folder);
  inUse.set(id, folder);
  return folder;
}

const inUse = new Map<string, string>();

/**
 * Where a part lies: in Agon's own folder (a clone has everything), beside it as a dependency of the same project, or
 * where `agon add` put it. Null where it is nowhere, or only in another version.
 */
export function findPartFolder(part: PackagePart, environment: PartsEnvironment): string | null {
  if (isClone()) return ownFolder();
  const beside = findBeside(part);
  const added = path.join(partFolder(part, environment), 'node_modules', part.package);
  return [beside, added].find((folder) => folder !== null && readVersion(folder) === part.version) ?? null;
}

/** A clone, or an image that was built from one, has everything: its package.json is not the published one. */
function isClone(): boolean {
  return readManifest(ownFolder()).private === true;
}

function findBeside({ package: name }: PackagePart): string | null {
  try {
    return path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return null;
  }
}

let own: string | undefined;

function ownFolder(): string {
  own ??= packageFolder(import.meta.dirname);
  return own;
}

function readVersion(folder: string): string | undefined {
  return existsSync(path.join(folder, 'package.json')) ? readManifest(folder).version : undefined;
}

function readManifest(folder: string): { version?: string; private?: boolean } {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as ReturnType<typeof readManifest>;
}

/** Lets Agon's own files import what a part brings, from the part's folder. Nobody else's imports are touched. */
function lendPackages({ brings }: PackagePart, folder: string): void {
  const agon = pathToFileURL(path.join(ownFolder(), path.sep)).href;
  const parentURL = pathToFileURL(path.join(folder, 'package.json')).href;
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const isOurs =
        context.parentURL?.startsWith(agon) === true && !context.parentURL.includes('/node_modules/', agon.length);
      const isLent =
        !isBuiltin(specifier) && brings.some((name) => specifier === name || specifier.startsWith(`${name}/`));
      return next(specifier, isOurs && isLent ? { ...context, parentURL } : context);
    },
  });
}

function missingPart({ id, package: name, version, fetched }: PackagePart): AgonError {
  const size = `${Math.ceil(fetched / 1e6)} MB`;
  return new AgonError('missing-part', `This needs the part ${id}, which is not installed.`, {
    cli: `Add it (${size}): agon add ${id}`,
    library: `Run \`agon add ${id}\` (${size}), or \`npm install ${name}@${version}\` in your project.`,
    api: `Whoever runs the server adds it with \`agon add ${id}\`.`,
  });
}

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
