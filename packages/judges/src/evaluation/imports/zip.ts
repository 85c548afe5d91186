import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { AgonError } from '@agonhq/engine/agon-error';

/** A file inside a zip file. */
export interface ImportedEntry {
  name: string;
  method: number;
  crc: number;
  compressedSize: number;
  size: number;
  headerOffset: number;
}

export interface Zip {
  entries: readonly ImportedEntry[];
  read(entry: ImportedEntry): Promise<Buffer>;
  close(): Promise<void>;
}

/** What V8 can hold as one string. */
const largestEntry = 0x1fffffe8;
const largestTail = 22 + 0xffff;

const unpack = {
  0: async (bytes: Buffer) => bytes,
  8: promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.inflateRaw),
  93: promisify<Buffer, zlib.ZstdOptions, Buffer>(zlib.zstdDecompress),
} as Record<number, ((bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>) | undefined>;

/**
 * Opens a zip file to read it entry by entry. Node has the methods that zip files use (deflate, zstandard) but no
 * reader of their directory.
 */
export async function openZip(path: string): Promise<Zip> {
  const file = await open(path);
  try {
    const name = basename(path);
    const entries = await readDirectory(file, name);
    return { entries, read: (entry) => readEntry(file, entry, name), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function readDirectory(file: FileHandle, path: string): Promise<ImportedEntry[]> {
  const { size } = await file.stat();
  const tail = await readAt(file, Math.max(0, size - largestTail), Math.min(size, largestTail), path);
  const end = tail.lastIndexOf('PK\u0005\u0006', undefined, 'latin1');
  if (end === -1 || end + 22 > tail.length)
    throw brokenZip(path, 'its directory is missing; it may have been cut short');
  const whole = await readEnd(file, tail, end, path);
  if (whole.offset + whole.size > size) throw brokenZip(path, 'its directory lies outside of it');
  const directory = await readAt(file, whole.offset, whole.size, path);
  const entries: ImportedEntry[] = [];
  for (let at = 0; at < directory.length;) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== 0x02014b50)
      throw brokenZip(path, 'its directory is damaged');
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) =>
      directory.readUInt16LE(at + offset),
    ) as [number, number, number];
    const nameEnd = at + 46 + nameLength;
    const wide = wideNumbers(directory.subarray(nameEnd, nameEnd + extraLength));
    const number = (offset: number) =>
      directory.readUInt32LE(at + offset) === 0xffffffff ? (wide.shift() ?? 0) : directory.readUInt32LE(at + offset);
    // In this order the wide numbers stand, each only where the narrow one is full.
    const entrySize = number(24);
    const compressedSize = number(20);
    const headerOffset = number(42);
    entries.push({
      name: directory.toString('utf8', at + 46, nameEnd),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      compressedSize,
      size: entrySize,
      headerOffset,
    });
    at = nameEnd + extraLength + commentLength;
  }
  return entries;
}

/** Where the directory lies; in a record of its own when the file is large. */
async function readEnd(
  file: FileHandle,
  tail: Buffer,
  end: number,
  path: string,
): Promise<{ size: number; offset: number }> {
  const narrow = { size: tail.readUInt32LE(end + 12), offset: tail.readUInt32LE(end + 16) };
  if (narrow.size !== 0xffffffff && narrow.offset !== 0xffffffff) return narrow;
  if (end < 20 || tail.readUInt32LE(end - 20) !== 0x07064b50) throw brokenZip(path, 'its directory is missing');
  const record = await readAt(file, Number(tail.readBigUInt64LE(end - 20 + 8)), 56, path);
  return { size: Number(record.readBigUInt64LE(40)), offset: Number(record.readBigUInt64LE(48)) };
}

function wideNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const numbers = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2));
    return Array.from({ length: Math.floor(numbers.length / 8) }, (_, index) =>
      Number(numbers.readBigUInt64LE(index * 8)),
    );
  }
  return [];
}

async function readEntry(file: FileHandle, entry: ImportedEntry, path: string): Promise<Buffer> {
  const { name, method, size, compressedSize, headerOffset, crc } = entry;
  if (size > largestEntry || compressedSize > largestEntry) throw brokenZip(path, `${name} is too large`);
  const unpacked = unpack[method];
  if (!unpacked) throw brokenZip(path, `${name} is packed in a way that is not known (method ${method})`);
  const header = await readAt(file, headerOffset, 30, path);
  if (header.readUInt32LE(0) !== 0x04034b50) throw brokenZip(path, `${name} is not where the directory says`);
  const start = headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await readAt(file, start, compressedSize, path);
  const bytes = await unpacked(packed, { maxOutputLength: Math.max(1, size) }).catch((error: unknown) => {
    throw brokenZip(path, `${name} cannot be unpacked`, error);
  });
  if (bytes.length !== size || zlib.crc32(bytes) !== crc) throw brokenZip(path, `${name} is damaged`);
  return bytes;
}

async function readAt(file: FileHandle, position: number, length: number, path: string): Promise<Buffer> {
  // Before there is room for what a damaged file says it holds.
  if (position + length > (await file.stat()).size) throw brokenZip(path, 'it ends too early');
  const buffer = Buffer.alloc(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(buffer, read, length - read, position + read);
    if (bytesRead === 0) throw brokenZip(path, 'it ends too early');
    read += bytesRead;
  }
  return buffer;
}

function brokenZip(path: string, reason: string, cause?: unknown): AgonError {
  return new AgonError(
    'broken-zip',
    `${path} cannot be read as a zip file: ${reason}.`,
    'Make the file anew, or convert it: inspect log convert --to json.',
    { cause },
  );
}
