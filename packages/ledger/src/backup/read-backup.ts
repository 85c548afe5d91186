import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip, type Gunzip } from 'node:zlib';
import { PassThrough } from 'node:stream';
import type { z } from 'zod';
import { openEnvelope, parseEnvelopeJson, readKeys, type PublicKeys } from '../checkpoints/envelope.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import type { SnapshotPart } from '../index.ts';
import {
  brokenBackup,
  gzipHead,
  hashLine,
  headSchema,
  lastLineSchema,
  manifestSchema,
  manifestType,
  rowSchema,
  tableSchema,
  Tally,
  type BackupHead,
  type Manifest,
} from './format.ts';

/** A backup that is being read. */
export interface OpenedBackup {
  head: BackupHead;
  /** Its rows, each as it stands in the file. Ends well only where the manifest fits all that came before it. */
  parts: AsyncIterable<SnapshotPart>;
  /** Once all parts were read. */
  readonly manifest: Manifest | null;
  /** The key that signed it, and whether it is one of those that were given; null where none was. */
  signer: { keyId: string; isKnown: boolean | null } | null;
}

export interface ReadBackupOptions {
  /** Keys that it must be signed with; undefined to take the word of the key inside. */
  keys?: PublicKeys | undefined;
}

/** Reads a backup from a file, line by line. */
export async function openBackup(file: string, { keys }: ReadBackupOptions = {}): Promise<OpenedBackup> {
  const lines = readLines(file);
  const { value: first } = await lines.next();
  const head = parseLine(first ?? '', headSchema);
  if (!head) throw brokenBackup(`${file} is not a backup of a ledger`);
  const opened: Omit<OpenedBackup, 'manifest'> & { manifest: Manifest | null } = {
    head,
    manifest: null,
    signer: null,
    parts: readParts(),
  };
  return opened;

  async function* readParts(): AsyncGenerator<SnapshotPart> {
    const tally = new Tally();
    let columns = 0;
    for await (const line of lines) {
      const value = parseEnvelopeJson(line);
      if (Array.isArray(value)) {
        const { data: row } = rowSchema.safeParse(value);
        if (!row || row.length !== columns) throw brokenBackup('a row has not the columns of its table');
        tally.add(line);
        yield { row };
        continue;
      }
      const table = tableSchema.safeParse(value);
      if (table.success) {
        columns = table.data.table.columns.length;
        tally.begin(table.data.table.name, line);
        yield table.data;
        continue;
      }
      const last = lastLineSchema.safeParse(value);
      if (!last.success) throw brokenBackup('one of its lines is no line of a backup');
      tally.close();
      opened.manifest = checkManifest(last.data.manifest, first!, tally);
      if ((await lines.next()).value !== undefined) throw brokenBackup('there is something behind its end');
      return;
    }
    throw brokenBackup('it is cut short');
  }

  function checkManifest(envelope: string, headLine: string, { tables }: Tally): Manifest {
    const own = readKeys(head!.publicKeys);
    const read = openEnvelope(manifestType, envelope, new Map([...own, ...(keys ?? [])]));
    if (!read || read.signature !== 'valid') throw brokenBackup('its signature does not hold');
    if (keys && !keys.has(read.keyId))
      throw brokenBackup(`it was signed with ${read.keyId.slice(0, 19)}…, which is none of the keys that were given`);
    const { data: manifest } = manifestSchema.safeParse(parseEnvelopeJson(read.payload));
    const fits = manifest?.head === hashLine(headLine) && JSON.stringify(manifest.tables) === JSON.stringify(tables);
    if (!manifest || !fits) throw brokenBackup('it was altered: its rows are not those that were signed');
    opened.signer = { keyId: read.keyId, isKnown: keys ? true : null };
    return manifest;
  }
}

function parseLine<Schema extends z.ZodType>(line: string, schema: Schema): z.output<Schema> | undefined {
  return schema.safeParse(parseEnvelopeJson(line)).data;
}

/** The lines of a compressed file, each with its end. */
async function* readLines(file: string): AsyncGenerator<string, void, void> {
  const { size } = await stat(file).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : (code ?? message);
    throw new AgonError('unreadable-file', `${file} cannot be read: ${why}.`, 'Check the path.', { cause: error });
  });
  const gunzip = createGunzip();
  const unpacked = new PassThrough();
  const read = pipeline(createReadStream(file), checkHead, gunzip, unpacked);
  // Whoever reads meets the failure; this keeps it from ending the process.
  read.catch(() => undefined);
  let rest: Buffer[] = [];
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      let start = 0;
      for (let end = chunk.indexOf(0x0a); end !== -1; end = chunk.indexOf(0x0a, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end + 1)]).toString('utf8');
        rest = [];
        start = end + 1;
      }
      if (start < chunk.length) rest.push(chunk.subarray(start));
    }
    await read;
  } catch (error) {
    if (AgonError.is(error)) throw error;
    throw brokenBackup(describeFailure(file, error), error);
  }
  assertWhole(gunzip, size);
  if (rest.length > 0) yield Buffer.concat(rest).toString('utf8');
}

/** A few bytes of the head change nothing that is unpacked; they must be as they were written all the same. */
async function* checkHead(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk.length >= gzipHead.length && !chunk.subarray(0, gzipHead.length).equals(gzipHead))
      throw brokenBackup('it does not begin as a backup does');
    isFirst = false;
    yield chunk;
  }
}

/** What stands behind the compressed data is not read by whoever unpacks it. */
function assertWhole(gunzip: Gunzip, size: number): void {
  if (gunzip.bytesWritten !== size) throw brokenBackup('there is something behind its end');
}

function describeFailure(file: string, error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'it is cut short';
  if (code.startsWith('Z_')) return 'it was altered, or is no backup: it cannot be unpacked';
  return `${file} cannot be read (${code || message})`;
}
