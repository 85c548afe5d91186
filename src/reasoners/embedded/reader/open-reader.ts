import manifest from '../../../../models/reader-1/reader.json' with { type: 'json' };
import weights from '../../../../models/reader-1/weights.json' with { type: 'json' };
import { join } from 'node:path';
import { hashOf } from '../../../hash.ts';
import { packageFolder } from '../../../package-folder.ts';
import type { ModelFile } from '../guard.ts';
import { openOnce } from '../runtime/index.ts';
import { loadReader } from './reader.ts';

export const readerModel = `embedded:${manifest.id}`;

/** Names the files of the reader and its bars: another one of the same id has another. */
export const readerDigest = hashOf({ files: manifest.sha256, weights }).slice(7, 15);

/** The reader that Agon ships, loaded on the first call and once per process. */
export const openReader = openOnce(async () => loadReader(await findReaderFolder()));

/** Every file of the reader, with the hash that it is checked against. */
export async function locateReader(): Promise<ModelFile[]> {
  const folder = await findReaderFolder();
  return Object.entries(manifest.sha256).map(([file, sha256]) => ({ path: join(folder, file), sha256 }));
}

async function findReaderFolder(): Promise<string> {
  return join(await packageFolder(import.meta.dirname), 'models', manifest.id);
}
