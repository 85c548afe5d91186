import { openLines, type OpenInput } from '@agonhq/engine/items';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AgonError } from '@agonhq/engine/agon-error';

/** Opens a file of labelled data, or says what was not measured and why. */
export async function openData(file: string): Promise<OpenInput> {
  return openLines(file).catch((error: unknown) => {
    if (!AgonError.is(error)) throw error;
    const hint = process.env['AGON_DATASETS']
      ? 'Check the path of the data.'
      : 'Point AGON_DATASETS at the folder of the data sets (it is not set), and the path of the data at a file in it.';
    throw new AgonError(error.code, `${error.message} Nothing on ${path.basename(file)} was measured.`, hint, {
      cause: error,
    });
  });
}

/** The sha256 of a file as it lies there, read as a stream. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of (await openData(file)) as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

/** How a file begins, unpacked. */
export async function readBeginning(file: string, bytes = 64 * 1024): Promise<string> {
  const input = await openUnpacked(file);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of input as AsyncIterable<Uint8Array>) {
      pieces.push(Buffer.from(piece));
      size += piece.length;
      if (size >= bytes) break;
    }
  } finally {
    input.destroy();
  }
  return Buffer.concat(pieces)
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

/** The bytes of a file, unpacked where its name ends in .gz. */
export async function openUnpacked(file: string): Promise<OpenInput> {
  const input = await openData(file);
  if (!isPacked(file)) return input;
  const unpacked = createGunzip();
  // An error of the input, or of what is packed, comes out of the unpacker.
  pipeline(input, unpacked, () => {});
  return unpacked;
}

/** What cannot be unpacked or read any further, in one line. */
export function readingError(error: unknown, file: string): unknown {
  if (AgonError.is(error)) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^Z_|^E[A-Z]+$/.test(code)) return error;
  const reason = code.startsWith('Z_') ? 'it is damaged, or not packed with gzip' : code;
  return new AgonError(
    'unreadable-file',
    `${path.basename(file)} cannot be read to its end: ${reason}.`,
    'Get the file again.',
    { cause: error },
  );
}

export function isPacked(file: string): boolean {
  return /\.gz$/i.test(file);
}

/** A file's name without folder and packing. */
export function plainName(file: string): string {
  return path.basename(file).replace(/\.gz$/i, '');
}
