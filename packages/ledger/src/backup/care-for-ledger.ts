import { AgonError } from '@agonhq/engine/agon-error';
import type { Database } from '../database/database.ts';
import { migrateDatabase, readSchemaNumber, schemaNumber } from '../migrations/migrate.ts';
import type { LedgerPlace } from '../open-ledger.ts';
import { fillLedger } from './fill-ledger.ts';
import { openSnapshot, type SnapshotHead, type SnapshotPart } from './snapshot.ts';

/** A ledger as those have it who look after it: its schema stays as it is until they say so. */
export interface LedgerCare extends AsyncDisposable {
  readonly place: string;
  /** 0 where there is no ledger yet. */
  readSchema(): Promise<number>;
  /** The schema of this Agon. */
  readonly newestSchema: number;
  /** Everything at one moment, while others write. */
  openSnapshot(): ReturnType<typeof openSnapshot>;
  /** All rows or none, into a ledger that is empty. */
  fill(head: SnapshotHead & { madeAt: string }, parts: AsyncIterable<SnapshotPart>): Promise<number>;
  upgrade(): Promise<void>;
}

/** What connections of those who look after it are called on PostgreSQL. */
const careName = 'agon-care';

/** Opens a ledger without bringing its schema up to date. */
export async function careForLedger(place: LedgerPlace): Promise<LedgerCare> {
  const database =
    'file' in place
      ? await (await import('../sqlite/open-sqlite.ts')).openSqlite({ file: place.file, migrate: false })
      : await (
          await import('../postgres/open-postgres.ts')
        ).openPostgres(place.url, { migrate: false, name: careName });
  const { db, kind } = database;
  const readSchema = async () => readSchemaNumber(db, kind);
  return {
    place: database.place,
    newestSchema: schemaNumber,
    readSchema,
    openSnapshot: async () => {
      await requireLedger(database, await readSchema());
      return openSnapshot(database);
    },
    fill: (head, parts) => fillLedger(database, head, parts),
    async upgrade() {
      await requireLedger(database, await readSchema());
      await migrateDatabase(db, kind, database.place);
    },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

async function requireLedger({ place }: Database, schema: number): Promise<number> {
  if (schema === 0)
    throw new AgonError('no-ledger', `There is no ledger in ${place} yet.`, 'Name another with --ledger FILE.');
  if (schema > schemaNumber)
    throw new AgonError(
      'newer-ledger',
      `The ledger ${place} was written by a newer Agon: it has schema ${schema}, this one knows ${schemaNumber}.`,
      'Update Agon; the ledger was left as it is.',
    );
  return schema;
}
