import { hash, randomFillSync } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Listing } from '../tables/tables.ts';
import type { KnownValues } from './write-template.ts';

/*
 * A case as one row of the listing. What it has of its own beside the columns is packed: a salt, the seal of its
 * answer, and what fills the holes of its template. It is opened and closed at the same moment.
 */

const packedVersion = 1;
const saltBytes = 8;
const sealBytes = 32;
const headBytes = 1 + saltBytes + sealBytes;

/** The columns of a row that its hash is of, as they are listed. */
export type CompactColumns = Pick<
  Listing,
  | 'id'
  | 'opened_at'
  | 'run'
  | 'label'
  | 'escalate'
  | 'degraded'
  | 'modality'
  | 'categories'
  | 'risk'
  | 'bar'
  | 'action'
  | 'severity'
  | 'author'
  | 'thread'
  | 'channel'
>;

const hashedColumns = [
  'id',
  'opened_at',
  'run',
  'label',
  'escalate',
  'degraded',
  'modality',
  'categories',
  'risk',
  'bar',
  'action',
  'severity',
] as const satisfies readonly (keyof CompactColumns)[];

const salts = Buffer.alloc(512 * saltBytes);
let used = salts.length;

/** What is packed for a row: nothing leads from its hash to it once the salt is gone. */
export function packRow(seal: string, holes: Uint8Array): Uint8Array {
  if (used === salts.length) {
    randomFillSync(salts);
    used = 0;
  }
  const packed = Buffer.allocUnsafe(headBytes + holes.length);
  packed[0] = packedVersion;
  salts.copy(packed, 1, used, (used += saltBytes));
  packed.write(seal.slice(7), 1 + saltBytes, 'hex');
  packed.set(holes, headBytes);
  return packed;
}

export function readPacked(packed: Uint8Array): { seal: string; holes: Uint8Array } {
  return { seal: writeHash(packed.subarray(1 + saltBytes, headBytes)), holes: packed.subarray(headBytes) };
}

export const readHash = (text: string): Uint8Array => Buffer.from(text.slice(7), 'hex');

export function writeHash(bytes: Uint8Array): string {
  return `sha256:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** What a batch commits to for a row: the row, what it shares with others, and what was judged. */
export function hashRow(
  row: CompactColumns,
  { subject, packed }: { subject: string; packed: Uint8Array },
  shared: { setup: string; template: string; content: string },
): Uint8Array {
  const { author, thread, channel } = row;
  const columns = JSON.stringify([
    ...hashedColumns.map((name) => row[name]),
    subject,
    shared.setup,
    shared.template,
    hash('sha256', shared.content, 'hex'),
    // The rest of a context is packed.
    ...(author === null && thread === null && channel === null ? [] : [author, thread, channel]),
  ]);
  return hash('sha256', Buffer.concat([packed, Buffer.from(columns)]), 'buffer');
}

/** The values of a row that its template refers to by name. */
export function readKnown(
  row: Pick<Listing, 'id' | 'risk' | 'bar' | 'latency_ms' | 'modality' | 'author' | 'thread' | 'channel'>,
  subject: string,
): KnownValues {
  const { id, risk, bar, latency_ms, modality, author, thread, channel } = row;
  return { id, subject, risk, bar, latency: latency_ms, modality, author, thread, channel };
}

/** The day of a moment, as texts are kept by it. */
export const dayOf = (moment: string): number => Number(moment.slice(0, 10).replaceAll('-', ''));

/** Shorter texts hardly become shorter. */
const worthCompressing = 300;

/** What was judged, as JSON; the first byte says whether it is compressed. */
export function packText(content: string): Uint8Array {
  const plain = Buffer.from(`\0${content}`);
  if (plain.length < worthCompressing) return plain;
  const compressed = deflateRawSync(plain.subarray(1));
  return compressed.length + 1 < plain.length ? Buffer.concat([Buffer.of(1), compressed]) : plain;
}

export function unpackText(data: Uint8Array): string {
  const bytes = Buffer.from(data.buffer, data.byteOffset + 1, data.byteLength - 1);
  return (data[0] === 1 ? inflateRawSync(bytes) : bytes).toString('utf8');
}
