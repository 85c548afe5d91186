import type { LedgerCare } from '../index.ts';
import type { Manifest } from './format.ts';
import type { OpenedBackup } from './read-backup.ts';

export interface RestoreReport {
  ledger: string | null;
  madeAt: string;
  schema: number;
  rows: number;
  tables: Manifest['tables'];
  /** The key that signed it. */
  signedBy: string;
  /** Whether that is one of the keys that were given; null where none was. */
  isKnown: boolean | null;
}

/** Restores a backup into an empty ledger, all of it or nothing. */
export async function restoreBackup(care: Pick<LedgerCare, 'fill'>, backup: OpenedBackup): Promise<RestoreReport> {
  await care.fill(backup.head, backup.parts);
  return describeBackup(backup);
}

/** Reads a backup to its end and compares all that can be compared, without a ledger. */
export async function checkBackup(backup: OpenedBackup): Promise<RestoreReport> {
  const parts = backup.parts[Symbol.asyncIterator]();
  while (!(await parts.next()).done);
  return describeBackup(backup);
}

/** Of a backup that was read to its end. */
function describeBackup({ head, manifest, signer }: OpenedBackup): RestoreReport {
  const tables = manifest!.tables.filter(({ rows }) => rows > 0);
  return {
    ledger: head.ledger,
    madeAt: head.madeAt,
    schema: head.schema,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    tables,
    signedBy: signer!.keyId,
    isKnown: signer!.isKnown,
  };
}
