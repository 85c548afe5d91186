import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Db, Kind, Trx } from '../database/database.ts';
import { putRow } from '../database/fixed-query.ts';
import { ledgerTables, listSchema } from '../schema/tables.ts';

/**
 * Another program's database is left as it is: a file of SQLite with tables that are not a ledger's, a schema of
 * PostgreSQL where tables of the same names stand.
 */
export function refuseForeignTables(tables: readonly string[], kind: Kind, place: string): void {
  const isOurs = ['meta', 'subjects', 'record_leaves'].every((name) => tables.includes(name));
  const inTheWay = kind === 'sqlite' ? tables : tables.filter((name) => ledgerTables.some((own) => own === name));
  if (isOurs || inTheWay.length === 0) return;
  const [what, hint] =
    kind === 'sqlite'
      ? [
          'another program keeps its tables there',
          {
            library: 'Name another file; this one was left as it is.',
            cli: 'Name another file with --ledger FILE or AGON_LEDGER; this one was left as it is.',
          },
        ]
      : [
          `another program has a table ${inTheWay[0]} there`,
          'Name another database in AGON_DATABASE_URL, or a schema of its own (?options=-c%20search_path%3DNAME); ' +
            'this one was left as it is.',
        ];
  throw new AgonError('not-a-ledger', `${place} is not a ledger: ${what}.`, hint);
}

/** A step from the schema before it: after the first release, what was released is never changed again. */
export interface Migration {
  name: string;
  up(trx: Trx, kind: Kind): Promise<void>;
}

/** In order: the place of a migration is the number of the schema that it makes. */
export const knownMigrations: readonly Migration[] = [
  {
    name: '0001-first',
    async up(trx, kind) {
      for (const statement of listSchema(kind)) await sql.raw(statement).execute(trx);
      await keepMeta(trx, 'ledger', randomUUID());
    },
  },
];

/** The schema that this version of Agon reads and writes. */
export const schemaNumber = knownMigrations.length;

/** The names of the migrations that lead to it. */
export const migrationNames: readonly string[] = knownMigrations.map(({ name }) => name);

/** In `meta` while a backup is restored: whoever opens the ledger then would find it empty. */
export const restoringKey = 'restoring';

/**
 * Runs the migrations that a database lacks, once, whoever else opens it at the same moment. Says which schema it had
 * where it was an older one.
 */
export async function migrateDatabase(
  db: Db,
  kind: Kind,
  place: string,
  migrations = knownMigrations,
): Promise<number | null> {
  const newest = migrations.length;
  if (kind === 'postgresql') refuseForeignTables(await listPresentTables(db), kind, place);
  const found = await readSchemaNumber(db, kind);
  if (found > newest) {
    throw new AgonError(
      'newer-ledger',
      `The ledger ${place} was written by a newer Agon: it has schema ${found}, this one knows ${newest}.`,
      {
        library: 'Update Agon, or name another ledger; this one was left as it is.',
        cli: 'Update Agon, or name another ledger with --ledger FILE; this one was left as it is.',
      },
    );
  }
  if (found > 0) await refuseUnfinished(db, place);
  if (found === newest) return null;
  await migrateTo(db, kind, newest, migrations);
  return found === 0 ? null : found;
}

/** What a restore left that did not come to its end is no ledger. */
async function refuseUnfinished(db: Db, place: string): Promise<void> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', restoringKey).executeTakeFirst();
  if (row)
    throw new AgonError(
      'unfinished-restore',
      `The restore of the backup of ${row.value} into ${place} failed, was interrupted or still runs: ` +
        'there is nothing in it.',
      {
        library: 'Restore a backup into it, or delete it.',
        cli: 'Restore a backup into it (agon ledger restore FILE), delete it, or name another with --ledger FILE.',
      },
    );
}

/** Runs what leads to a schema: all of it or nothing; on SQLite the transaction is the lock as well. */
export async function migrateTo(db: Db, kind: Kind, schema: number, migrations = knownMigrations): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (kind === 'postgresql') await lockSchema(trx);
    const found = await readSchemaNumber(trx, kind);
    if (found >= schema) return;
    for (const { up } of migrations.slice(found, schema)) await up(trx, kind);
    await keepMeta(trx, 'schema', String(schema));
  });
}

const migrationLock = 3_853_314_791;

/** Waits for others who bring the schema up to date. */
async function lockSchema(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(db);
}

export const keepMeta = (db: Db, key: string, value: string): Promise<void> => putRow(db, 'meta', { key }, { value });

async function listPresentTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  return rows.map(({ name }) => name);
}

/** 0 when there is nothing yet. */
export async function readSchemaNumber(db: Db, kind: Kind): Promise<number> {
  const here =
    kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name = 'meta'`
      : sql<{
          name: string;
        }>`select tablename as name from pg_tables where schemaname = current_schema() and tablename = 'meta'`;
  if ((await here.execute(db)).rows.length === 0) return 0;
  const row = await db.selectFrom('meta').select('value').where('key', '=', 'schema').executeTakeFirst();
  return Number(row?.value ?? 0);
}
