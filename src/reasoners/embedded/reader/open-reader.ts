import manifest from '../../../../models/reader-1/reader.json' with { type: 'json' };
import weights from '../../../../models/reader-1/weights.json' with { type: 'json' };
import { join } from 'node:path';
import { hashOf } from '../../../hash.ts';
import { needPart } from '../../../parts/index.ts';
import type { ModelFile } from '../guard.ts';
import { openOnce } from '../runtime/index.ts';
import { loadReader } from './reader.ts';

export const readerModel = `embedded:${manifest.id}`;

/** Names the files of the reader and its bars: another one of the same id has another. */
export const readerDigest = hashOf({ files: manifest.sha256, weights }).slice(7, 15);

/** The reader that Agon ships, loaded on the first call and once per process. */
export const openReader = openOnce(async () => loadReader(findReaderFolder()));

/** Every file of the reader, with the hash that it is checked against. */
export function locateReader(): ModelFile[] {
  const folder = findReaderFolder();
  return Object.entries(manifest.sha256).map(([file, sha256]) => ({ path: join(folder, file), sha256 }));
}

function findReaderFolder(): string {
  return join(needPart('documents'), 'models', manifest.id);
}
