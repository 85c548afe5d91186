import { crc32, deflateRawSync, zstdCompressSync } from 'node:zlib';

const pack = {
  stored: [0, (bytes: Buffer) => bytes],
  deflate: [8, deflateRawSync],
  zstd: [93, zstdCompressSync],
} as const;

interface Entry {
  content: string | Uint8Array;
  method?: keyof typeof pack;
  /** Sizes and places as 64-bit numbers, as in files over 4 GB. */
  wide?: boolean;
}

/** A zip file with these entries. */
export function makeZip(files: Record<string, Entry>, { wide = false, comment = '' } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, entry] of Object.entries(files)) {
    const content = Buffer.from(entry.content as string);
    const [method, compress] = pack[entry.method ?? 'deflate'];
    const packed = compress(content);
    const title = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(title.length, 26);
    const extra = entry.wide ? wideExtra([content.length, packed.length, offset]) : Buffer.alloc(0);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(method, 10);
    record.writeUInt32LE(crc32(content), 16);
    record.writeUInt32LE(entry.wide ? 0xffffffff : packed.length, 20);
    record.writeUInt32LE(entry.wide ? 0xffffffff : content.length, 24);
    record.writeUInt16LE(title.length, 28);
    record.writeUInt16LE(extra.length, 30);
    record.writeUInt32LE(entry.wide ? 0xffffffff : offset, 42);
    locals.push(local, title, packed);
    directory.push(record, title, extra);
    offset += local.length + title.length + packed.length;
  }
  const entries = Buffer.concat(directory);
  return Buffer.concat([
    ...locals,
    entries,
    ...(wide ? wideEnd(offset, entries.length) : []),
    end(offset, entries.length, wide, comment),
  ]);
}

function wideExtra(numbers: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * numbers.length);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8 * numbers.length, 2);
  numbers.forEach((number, index) => extra.writeBigUInt64LE(BigInt(number), 4 + 8 * index));
  return extra;
}

function wideEnd(offset: number, size: number): Buffer[] {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  return [record, locator];
}

function end(offset: number, size: number, wide: boolean, comment: string): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(0x06054b50, 0);
  record.writeUInt32LE(wide ? 0xffffffff : size, 12);
  record.writeUInt32LE(wide ? 0xffffffff : offset, 16);
  record.writeUInt16LE(comment.length, 20);
  return Buffer.concat([record, Buffer.from(comment)]);
}
