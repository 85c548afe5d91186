import { Unzip, UnzipInflate, unzipSync } from 'fflate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { IngestLimits } from './raw.ts';

export interface UnpackedEntry {
  name: string;
  packed: number;
  unpacked: number;
}

/** Small archives may be packed tightly: many equal rows, much white space. */
const alwaysFine = 10_000_000;

/** What an archive says it holds, without unpacking any of it. Refuses one that would swell beyond the limits. */
export function listZipEntries(bytes: Uint8Array, name: string, limits: IngestLimits): UnpackedEntry[] {
  const entries: UnpackedEntry[] = [];
  tryUnpacking(name, () =>
    unzipSync(bytes, {
      filter: (file) => {
        entries.push({ name: file.name, packed: file.size, unpacked: file.originalSize });
        if (entries.length > limits.zipEntries) throw zipBomb(name, `more than ${limits.zipEntries} files`);
        return false;
      },
    }),
  );
  const unpacked = entries.reduce((total, entry) => total + entry.unpacked, 0);
  if (unpacked > limits.unpackedBytes) throw zipBomb(name, `${Math.round(unpacked / 1_000_000)} MB`);
  if (unpacked > alwaysFine && unpacked / bytes.length > limits.zipRatio)
    throw zipBomb(name, `${Math.round(unpacked / bytes.length)} times its size`);
  return entries;
}

/** Unpacks the entries that are wanted, each to the size it was announced with and no further. */
export function unpackZip(
  bytes: Uint8Array,
  name: string,
  limits: IngestLimits,
  wanted: (entry: string) => boolean,
): Map<string, Uint8Array> {
  listZipEntries(bytes, name, limits);
  return new Map(
    Object.entries(
      tryUnpacking(name, () => unzipSync(bytes, { filter: (file) => file.name !== '__proto__' && wanted(file.name) })),
    ),
  );
}

const pushedBytes = 1_000_000;

/** Unpacks one entry piece by piece, to the size it was announced with and no further. */
export function streamZipEntry(
  bytes: Uint8Array,
  name: string,
  { name: wanted, unpacked }: UnpackedEntry,
  onPiece: (piece: Uint8Array, isLast: boolean) => void,
): void {
  let [size, isDone] = [0, false];
  tryUnpacking(name, () => {
    const unzip = new Unzip((file) => {
      if (file.name !== wanted || isDone) return;
      file.ondata = (error, piece, isLast) => {
        if (error) throw error;
        size += piece.length;
        if (size > unpacked) throw new Error('It is larger than announced.');
        isDone ||= isLast;
        onPiece(piece, isLast);
      };
      file.start();
    });
    unzip.register(UnzipInflate);
    for (let at = 0; at < bytes.length; at += pushedBytes) {
      unzip.push(bytes.subarray(at, at + pushedBytes), at + pushedBytes >= bytes.length);
      if (isDone) break;
    }
    if (!isDone) throw new Error('It ends too early.');
  });
}

function tryUnpacking<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (AgonError.is(cause)) throw cause;
    throw new AgonError(
      'corrupt-document',
      `${name} is damaged: its archive cannot be unpacked.`,
      `Save or download ${name} again.`,
      { cause },
    );
  }
}

function zipBomb(name: string, size: string): AgonError {
  return new AgonError(
    'zip-bomb',
    `${name} would unpack to ${size}: it was not unpacked.`,
    'Open only files you trust; split a large one.',
  );
}
