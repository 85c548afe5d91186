import { encodeText, joinBytes } from './bytes.ts';

/*
 * The container: a ZIP file of stored entries in the order of their names, with one date for all and nothing else in
 * it. So the same entries are the same bytes, and a reader can rebuild the file and compare it. Runs in a browser.
 */

/** One file of a container. */
export interface ZipEntry {
  name: string;
  bytes: Uint8Array;
}

/** Hands out a container piece by piece: entries have to come in the order of their names. */
export interface ZipWriter {
  add(entry: ZipEntry): Uint8Array[];
  end(): Uint8Array[];
}

const localSignature = 0x04034b50;
const centralSignature = 0x02014b50;
const endSignature = 0x06054b50;
const localLength = 30;
const centralLength = 46;
const endLength = 22;
/** 1 January 1980, the first day that a ZIP file knows. */
const firstDay = 0x0021;
const versionNeeded = 10;

/** Without the extensions for larger files, which not every reader has. */
export const mostEntries = 65_535;
export const mostBytes = 0xffff_ffff;

const latin1 = new TextDecoder('latin1');

const safeName = /^[A-Za-z0-9][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9][A-Za-z0-9._~-]*)*$/;

export function createZipWriter(): ZipWriter {
  const directory: Uint8Array[] = [];
  let offset = 0;
  let last = '';
  return {
    add({ name, bytes }) {
      if (!safeName.test(name) || name <= last)
        throw new RangeError(`${name} cannot stand behind ${last || 'nothing'}`);
      if (directory.length / 2 >= mostEntries || offset + bytes.length + name.length + localLength > mostBytes)
        throw new RangeError('it is too large');
      const title = encodeText(name);
      const facts = describeEntry(bytes, title.length);
      directory.push(makeCentralHeader(facts, offset), title);
      offset += localLength + title.length + bytes.length;
      last = name;
      return [makeLocalHeader(facts), title, bytes];
    },
    end() {
      const length = directory.reduce((sum, part) => sum + part.length, 0);
      return [...directory, makeEnd(directory.length / 2, length, offset)];
    },
  };
}

/** A container with these entries, whatever their order. */
export function writeZip(entries: readonly ZipEntry[]): Uint8Array<ArrayBuffer> {
  return joinBytes(listPieces(entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))));
}

/** The entries of a container; or why it is not one that Agon has written, to the byte. */
export function readZip(bytes: Uint8Array): { entries: ZipEntry[] } | { problem: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length - endLength;
  if (end < 0 || view.getUint32(end, true) !== endSignature) return { problem: 'it does not end as a ZIP file does' };
  const count = view.getUint16(end + 10, true);
  const entries: ZipEntry[] = [];
  let at = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index += 1) {
    if (at + centralLength > end || view.getUint32(at, true) !== centralSignature)
      return { problem: `its directory breaks off at entry ${index + 1}` };
    const length = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const start = view.getUint32(at + 42, true) + localLength + nameLength;
    if (at + centralLength + nameLength > end || start + length > end)
      return { problem: `entry ${index + 1} points outside of the file` };
    const name = latin1.decode(bytes.subarray(at + centralLength, at + centralLength + nameLength));
    entries.push({ name, bytes: bytes.subarray(start, start + length) });
    at += centralLength + nameLength;
  }
  return findDifference(entries, bytes) ?? { entries };
}

/** Where the file is not what its entries make when they are written anew. */
function findDifference(entries: readonly ZipEntry[], bytes: Uint8Array): { problem: string } | undefined {
  try {
    let offset = 0;
    for (const piece of listPieces(entries)) {
      // An entry is a part of the file itself where it lies in its place: then there is nothing to compare.
      const isItself = piece.byteOffset === bytes.byteOffset + offset && piece.buffer === bytes.buffer;
      const wrong = isItself ? -1 : piece.findIndex((byte, index) => byte !== bytes[offset + index]);
      if (wrong !== -1) return { problem: `byte ${offset + wrong} is not what its entries make when written anew` };
      offset += piece.length;
    }
    return offset === bytes.length ? undefined : { problem: 'there is more in the file than its entries' };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function listPieces(entries: readonly ZipEntry[]): Uint8Array[] {
  const writer = createZipWriter();
  return [...entries.flatMap((entry) => writer.add(entry)), ...writer.end()];
}

/** From "version needed" to "length of extra fields": the same in both headers of an entry. */
function describeEntry(bytes: Uint8Array, nameLength: number): Uint8Array {
  const facts = new Uint8Array(26);
  put(facts, 0, versionNeeded);
  put(facts, 8, firstDay);
  put(facts, 10, crc32(bytes));
  put(facts, 14, bytes.length);
  put(facts, 18, bytes.length);
  put(facts, 22, nameLength);
  return facts;
}

function makeLocalHeader(facts: Uint8Array): Uint8Array {
  const header = new Uint8Array(localLength);
  put(header, 0, localSignature);
  header.set(facts, 4);
  return header;
}

function makeCentralHeader(facts: Uint8Array, offset: number): Uint8Array {
  const header = new Uint8Array(centralLength);
  put(header, 0, centralSignature);
  put(header, 4, versionNeeded);
  header.set(facts, 6);
  put(header, 42, offset);
  return header;
}

/** A number of four bytes; a view of the buffer of each small header would take longer than all else. */
function put(header: Uint8Array, at: number, value: number): void {
  for (let byte = 0; byte < 4; byte += 1) header[at + byte] = value >>> (8 * byte);
}

function makeEnd(entries: number, length: number, offset: number): Uint8Array {
  const end = new DataView(new ArrayBuffer(endLength));
  end.setUint32(0, endSignature, true);
  end.setUint16(8, entries, true);
  end.setUint16(10, entries, true);
  end.setUint32(12, length, true);
  end.setUint32(16, offset, true);
  return new Uint8Array(end.buffer);
}

let crcTable: Uint32Array | undefined;

function makeCrcTable(): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
    return value;
  });
}

/** As the ZIP format wants it. It finds accidents; against intent there are the hashes. */
function crc32(bytes: Uint8Array): number {
  const table = (crcTable ??= makeCrcTable());
  let value = 0xffff_ffff;
  for (const byte of bytes) value = table[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ 0xffff_ffff) >>> 0;
}
