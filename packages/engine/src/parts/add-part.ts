import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import type { CataloguePart } from './catalogue.ts';
import { fetchPackage, installPackage, type FetchOptions } from './fetch-package.ts';
import { hasPart } from './locate-part.ts';
import type { PackagePart } from './package-parts.ts';
import { partFolder, partsFolder } from './parts-folder.ts';
import { unpackFiles } from './unpack-files.ts';

/**
 * Fetches a part, checks every file of it and puts it into its place, whole or not at all. Where another process was
 * faster, its part stays. Returns the part's folder.
 */
export async function addPart(part: CataloguePart | PackagePart, options: FetchOptions): Promise<string> {
  const { environment } = options;
  const folder = partFolder(part, environment);
  const staging = await makeStaging(part, environment);
  try {
    const unpacked = path.join(staging, 'files');
    await mkdir(unpacked);
    if ('brings' in part) await installPackage(part, unpacked, staging, options);
    else await unpackFiles(await fetchPackage(part, staging, options), part, unpacked);
    await moveInto(unpacked, folder, part, environment);
    return folder;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Takes a part away. Returns false where there was none. */
export async function removePart(
  part: CataloguePart | PackagePart,
  environment: FetchOptions['environment'],
): Promise<boolean> {
  const folder = partFolder(part, environment);
  // Under another name first: nobody finds half of it.
  const away = await makeStaging(part, environment);
  try {
    await rename(folder, path.join(away, 'files'));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  } finally {
    await rm(away, { recursive: true, force: true });
  }
}

async function makeStaging({ id }: { id: string }, environment: FetchOptions['environment']): Promise<string> {
  const folder = partsFolder(environment);
  try {
    await mkdir(folder, { recursive: true });
    return await mkdtemp(path.join(folder, `.${id}-`));
  } catch (cause) {
    throw new AgonError(
      'unwritable-parts',
      `${folder} cannot be written to: ${(cause as Error).message}.`,
      'Name another folder with AGON_PARTS, or change its permissions.',
      { cause },
    );
  }
}

async function moveInto(
  unpacked: string,
  folder: string,
  part: CataloguePart | PackagePart,
  environment: FetchOptions['environment'],
): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await rename(unpacked, folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const isTaken = code === 'EEXIST' || code === 'ENOTEMPTY' || code === 'EPERM';
      if (!isTaken || tries > 2) throw error;
      // Of two that add the same part, the first one's stays; what is not whole makes room.
      if (await hasPart(part, environment)) return;
      await removePart(part, environment);
    }
  }
}
