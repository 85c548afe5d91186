import { constants, crc32, deflateRawSync } from 'node:zlib';

const sheet = 'xl/worksheets/sheet1.xml';

/** A small file that unpacks to so many bytes: a workbook or a text, as its entry says. */
export function zipBomb(entry: string = sheet, bytes = 1.2e9): Buffer<ArrayBuffer> {
  const block = 2 ** 24;
  // Blocks that end without ending the stream can be put one after the other as often as one likes.
  const packed = deflateRawSync(Buffer.alloc(block, 0x20), { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const times = Math.ceil(bytes / block);
  const data = Buffer.concat([...Array.from({ length: times }, () => packed), deflateRawSync(Buffer.alloc(0))]);
  const name = Buffer.from(entry);
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt16LE(name.length, 26);
  const record = Buffer.alloc(46);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(8, 10);
  record.writeUInt32LE(crc32(Buffer.alloc(0)), 16);
  record.writeUInt32LE(data.length, 20);
  // It says that it is small.
  record.writeUInt32LE(1_000, 24);
  record.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(record.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + data.length, 16);
  return Buffer.concat([local, name, data, record, name, end]);
}
