import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';

/*
 * A backup is lines of JSON, compressed by gzip: a head; for each table a line with its columns, and its rows as
 * arrays; and a manifest with the hash of everything before it, signed.
 */

export const backupFormat = 'agon-ledger-backup/1';
export const manifestType = 'application/vnd.agon.ledger-backup+json';

/** How the compressed data begins: without a name, a time or a system. */
export const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);

const hex = z.string().regex(/^[0-9a-f]{64}$/);
const base64 = z.base64();

/** The private parts of an installation, under a passphrase or as they are. */
export const sealedSecrets = z.discriminatedUnion('how', [
  z.strictObject({ how: z.literal('plain'), secrets: z.string() }),
  z.strictObject({
    how: z.literal('passphrase'),
    kdf: z.literal('scrypt'),
    cost: z
      .int()
      .min(2 ** 14)
      .max(2 ** 20),
    blockSize: z.int().min(1).max(32),
    parallelization: z.int().min(1).max(16),
    salt: base64,
    cipher: z.literal('aes-256-gcm'),
    iv: base64,
    tag: base64,
    data: base64,
  }),
]);
export type SealedSecrets = z.infer<typeof sealedSecrets>;

/** What the secrets are, once they are open. */
export const secretsSchema = z.strictObject({
  /** Ed25519, PKCS #8 in PEM. */
  signingKey: z.string(),
  /** Behind the commitments of redacted bundles; null where the installation has none of its own. */
  secret: z.string().nullable(),
});
export type Secrets = z.infer<typeof secretsSchema>;

export const headSchema = z.strictObject({
  format: z.literal(backupFormat),
  agon: z.string(),
  madeAt: z.iso.datetime(),
  kind: z.enum(['sqlite', 'postgresql']),
  ledger: z.string().nullable(),
  schema: z.int().min(1),
  migrations: z.array(z.string()),
  /** Of the installation, the one that signs first: checkpoints are checked with them. */
  publicKeys: z.string(),
  secrets: sealedSecrets.nullable(),
});
export type BackupHead = z.infer<typeof headSchema>;

export const tableSchema = z.strictObject({
  table: z.strictObject({
    name: z.string(),
    columns: z.array(z.strictObject({ name: z.string(), type: z.enum(['text', 'integer', 'real', 'bytes']) })).min(1),
    key: z.array(z.string()),
  }),
});

export const rowSchema = z.array(z.union([z.string(), z.number(), z.null()]));

export const manifestSchema = z.strictObject({
  format: z.literal(backupFormat),
  ledger: z.string().nullable(),
  schema: z.int().min(1),
  madeAt: z.iso.datetime(),
  head: hex,
  tables: z.array(z.strictObject({ name: z.string(), rows: z.int().min(0), sha256: hex })),
});
export type Manifest = z.infer<typeof manifestSchema>;

export const lastLineSchema = z.strictObject({ manifest: z.string() });

/** Counts and hashes lines, table by table. */
export class Tally {
  readonly tables: { name: string; rows: number; sha256: string }[] = [];
  #open: { name: string; rows: number; hash: Hash } | null = null;

  begin(name: string, line: string): void {
    this.close();
    this.#open = { name, rows: 0, hash: createHash('sha256').update(line) };
  }

  add(line: string): void {
    this.#open!.rows += 1;
    this.#open!.hash.update(line);
  }

  close(): void {
    if (!this.#open) return;
    const { name, rows, hash } = this.#open;
    this.tables.push({ name, rows, sha256: hash.digest('hex') });
    this.#open = null;
  }
}

export function hashLine(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

export function brokenBackup(why: string, cause?: unknown): AgonError {
  return new AgonError(
    'broken-backup',
    `The backup cannot be used: ${why}.`,
    'Nothing was restored. Take the backup again, or use another.',
    { cause },
  );
}
