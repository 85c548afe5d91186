import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { sealEnvelope, type Signer } from '../checkpoints/index.ts';
import { canonicalJson } from '@agonhq/engine/hash';
import type { LedgerCare, SnapshotHead, SnapshotPart } from '../index.ts';
import { version } from '@agonhq/engine/version';
import {
  backupFormat,
  gzipHead,
  hashLine,
  manifestType,
  Tally,
  type BackupHead,
  type Manifest,
  type SealedSecrets,
} from './format.ts';

export interface BackupOptions {
  /** Signs the manifest. */
  signer: Signer;
  /** Public keys as PEM, the one that signs first. */
  publicKeys: string;
  secrets?: SealedSecrets | null;
  /** Is told what the backup holds, when it is whole. */
  onDone?(manifest: Manifest): void;
  now?: Date;
}

const pieceLength = 64 * 1024;

/** A backup of a ledger at one moment, piece by piece, while others write. */
export async function* makeBackup(
  care: Pick<LedgerCare, 'openSnapshot'>,
  options: BackupOptions,
): AsyncGenerator<Uint8Array, void, void> {
  await using snapshot = await care.openSnapshot();
  const lines = joinLines(writeLines(snapshot.head, snapshot.parts, options));
  const gzip = createGzip({ level: 6 });
  const packed = pipeline(Readable.from(lines, { objectMode: false }), gzip);
  // Whoever reads meets the failure; this keeps it from ending the process.
  packed.catch(() => undefined);
  let isFirst = true;
  for await (const piece of gzip as AsyncIterable<Buffer>) {
    // Which system packed it is nobody's business, and so the same bytes everywhere.
    if (isFirst) gzipHead.copy(piece);
    isFirst = false;
    yield piece;
  }
  await packed;
}

async function* writeLines(
  { kind, ledger, schema, migrations }: SnapshotHead,
  parts: AsyncIterable<SnapshotPart>,
  { signer, publicKeys, secrets = null, onDone, now = new Date() }: BackupOptions,
): AsyncGenerator<string, void, void> {
  const madeAt = now.toISOString();
  const head: BackupHead = {
    format: backupFormat,
    agon: version,
    madeAt,
    kind,
    ledger,
    schema,
    migrations: [...migrations],
    publicKeys,
    secrets,
  };
  const first = `${JSON.stringify(head)}\n`;
  yield first;
  const tally = new Tally();
  for await (const part of parts) {
    const line = `${JSON.stringify('table' in part ? part : part.row)}\n`;
    if ('table' in part) tally.begin(part.table.name, line);
    else tally.add(line);
    yield line;
  }
  tally.close();
  const manifest: Manifest = {
    format: backupFormat,
    ledger,
    schema,
    madeAt,
    head: hashLine(first),
    tables: tally.tables,
  };
  yield `${JSON.stringify({ manifest: sealEnvelope(manifestType, canonicalJson(manifest), signer) })}\n`;
  onDone?.(manifest);
}

/** A stream is slow with pieces of a few bytes. */
async function* joinLines(lines: AsyncIterable<string>): AsyncGenerator<Buffer, void, void> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < pieceLength) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece);
}
