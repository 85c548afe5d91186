import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { AgonError } from '../../errors.ts';
import type { Db, Kind } from '../database/database.ts';
import { firstSchema, runItemsSchema, benchesSchema, serverSchema } from './0001-to-0004.ts';
import { listingSchema, annotationSchema, reviewSchema } from './0005-to-0007.ts';
import { correctionsSchema, picturesSchema } from './0008-to-0009.ts';
import { actionsSchema, callsSchema, contextSchema, knownFilesSchema } from './0010-to-0013.ts';
import { queuesSchema } from './0014-queues.ts';
import { marksSchema } from './0015-marks.ts';
import { watchingSchema } from './0016-watching.ts';
import { auditSchema } from './0018-audit.ts';
import { aloneSchema, assignedSchema, findingEditsSchema } from './0020-to-0022.ts';
import { recordsSchema } from './0024-records.ts';
import { holdsSchema } from './0025-holds-and-figures.ts';
import { comparedSchema, overdueSchema } from './0026-to-0027.ts';
import { slicesSchema } from './0028-slices.ts';
import { compactSchema } from './0029-compact.ts';
import { daysSchema } from './0030-days.ts';
import { streamsSchema } from './0031-streams.ts';
import { teamsSchema } from './0032-teams.ts';
import { smallerKeysSchema } from './0033-smaller-keys.ts';
import { singleContextsSchema } from './0034-single-contexts.ts';
import { annotationLeasesSchema } from './0035-annotation-leases.ts';
import type { Tables } from '../tables/tables.ts';

const ours = {
  policies: true,
  attachments: true,
  subjects: true,
  subject_attachments: true,
  debates: true,
  contexts: true,
  entries: true,
  calls: true,
  call_texts: true,
  call_parts: true,
  verdicts: true,
  setups: true,
  templates: true,
  texts: true,
  text_cases: true,
  listing: true,
  batches: true,
  decisions: true,
  queues: true,
  overdue_told: true,
  corrections: true,
  finding_edits: true,
  precedents: true,
  precedent_vectors: true,
  runs: true,
  run_items: true,
  run_accounts: true,
  reservations: true,
  benches: true,
  bench_judgements: true,
  bench_attachments: true,
  activations: true,
  api_keys: true,
  idempotency_keys: true,
  stream_positions: true,
  webhooks: true,
  deliveries: true,
  watch_rules: true,
  alerts: true,
  shadows: true,
  shadow_pairs: true,
  audit: true,
  annotation_projects: true,
  annotation_items: true,
  annotation_images: true,
  annotation_votes: true,
  annotation_adjudications: true,
  annotation_leases: true,
  workers: true,
  shares: true,
  pictures: true,
  known_images: true,
  legal_holds: true,
  record_leaves: true,
  record_trees: true,
  checkpoints: true,
  cache: true,
  teams: true,
  rate_portions: true,
  ended_sessions: true,
  review_leases: true,
  meta: true,
} satisfies Record<keyof Tables, true>;

/**
 * Another program's database is left as it is: a file of SQLite with tables that are not a ledger's, a schema of
 * PostgreSQL where tables of the same names stand. There the migrator's own table comes first, and may be all there
 * is yet.
 */
export function refuseForeignTables(tables: readonly string[], kind: Kind, place: string): void {
  const isOurs = tables.includes('kysely_migration') && (kind === 'postgresql' || tables.includes('meta'));
  const inTheWay = kind === 'sqlite' ? tables : tables.filter((name) => Object.hasOwn(ours, name));
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

/** In order; what has been released is never changed again. */
const migrations: Record<string, (kind: Kind) => Migration> = {
  '0001-first': firstSchema,
  '0002-run-items': runItemsSchema,
  '0003-benches': benchesSchema,
  '0004-server': serverSchema,
  '0005-listing': listingSchema,
  '0006-review': reviewSchema,
  '0007-annotation': annotationSchema,
  '0008-pictures': picturesSchema,
  '0009-corrections': correctionsSchema,
  '0010-known-files': knownFilesSchema,
  '0011-actions': actionsSchema,
  '0012-context': contextSchema,
  '0013-calls': callsSchema,
  '0014-queues': queuesSchema,
  '0015-marks': marksSchema,
  '0016-watching': watchingSchema,
  '0018-audit': auditSchema,
  '0020-finding-edits': findingEditsSchema,
  '0021-assigned': assignedSchema,
  '0022-alone': aloneSchema,
  '0024-records': recordsSchema,
  '0025-holds-and-figures': holdsSchema,
  '0026-compared': comparedSchema,
  '0027-overdue': overdueSchema,
  '0028-slices': slicesSchema,
  '0029-compact': compactSchema,
  '0030-days': daysSchema,
  '0031-streams': streamsSchema,
  '0032-teams': teamsSchema,
  '0033-smaller-keys': smallerKeysSchema,
  '0034-single-contexts': singleContextsSchema,
  '0035-annotation-leases': annotationLeasesSchema,
};

/** The schema that this version of Agon reads and writes. */
export const schemaNumber = Object.keys(migrations).length;

/** The names of the migrations that lead to it. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Every table of a ledger, those first that others refer to. */
export const ledgerTables = Object.keys(ours) as readonly (keyof Tables)[];

/** The earliest schema that a ledger can be taken back to: from it on, every migration knows its way back. */
export const earliestSchema = Object.values(migrations).findLastIndex((make) => make('sqlite').down === undefined) + 1;

/** In `meta` while a backup is restored: whoever opens the ledger then would find it empty. */
export const restoringKey = 'restoring';

/** In `meta`: the schema that a ledger had before it was last brought up to date. */
export const upgradedFromKey = 'upgraded-from';

/**
 * Runs the migrations that a database lacks, once, whoever else opens it at the same moment. Says which schema it had
 * where it was an older one.
 */
export async function migrateDatabase(db: Db, kind: Kind, place: string): Promise<number | null> {
  if (kind === 'postgresql') refuseForeignTables(await listTables(db), kind, place);
  const found = await readSchemaNumber(db, kind);
  if (found > schemaNumber) {
    throw new AgonError(
      'newer-ledger',
      `The ledger ${place} was written by a newer Agon: it has schema ${found}, this one knows ${schemaNumber}.`,
      {
        library: 'Update Agon, or name another ledger; this one was left as it is.',
        cli: 'Update Agon, or name another ledger with --ledger FILE; this one was left as it is.',
      },
    );
  }
  if (found > 0) await refuseUnfinished(db, place);
  if (found === schemaNumber) return null;
  await migrateTo(db, kind, schemaNumber);
  return found === 0 ? null : found;
}

/** What a restore left that did not come to its end is no ledger. */
async function refuseUnfinished(db: Db, place: string): Promise<void> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', restoringKey).executeTakeFirst();
  if (row)
    throw new AgonError(
      'unfinished-restore',
      `The restore of the backup of ${row.value} into ${place} failed, was interrupted or still runs: there is nothing in it.`,
      {
        library: 'Restore a backup into it, or delete it.',
        cli: 'Restore a backup into it (agon ledger restore FILE), delete it, or name another with --ledger FILE.',
      },
    );
}

/** Brings a database to a schema: forwards, or back to one that `earliestSchema` allows. */
export async function migrateTo(db: Db, kind: Kind, schema: number): Promise<void> {
  // All or nothing; on SQLite this is the lock as well.
  await db.transaction().execute(async (locked) => {
    if (kind === 'postgresql') await lockSchema(locked);
    const found = await readSchemaNumber(locked, kind);
    const provider = {
      getMigrations: async () =>
        Object.fromEntries(Object.entries(migrations).map(([name, make]) => [name, make(kind)])),
    };
    const migrator = new Migrator({ db: locked, provider, ...(await findMigratorTables(locked, kind)) });
    // Every way back begins at the newest schema: what it undoes is read by the code of today.
    for (const next of found > schema ? [schemaNumber, schema] : [schema]) {
      const { error } = await migrator.migrateTo(migrationNames[next - 1]!);
      if (error) throw error;
    }
    if (found > 0 && found < schema) await keepMeta(locked, upgradedFromKey, String(found));
    if (found > schema) await locked.deleteFrom('meta').where('key', '=', upgradedFromKey).execute();
    await keepMeta(locked, 'schema', String(schema));
  });
}

/** The key of the lock that the migrator takes, too late: after it made its tables. */
const migratorLock = '3853314791062309107';

/** Waits for others who bring the schema up to date; says what is wrong where nothing can be made in it. */
async function lockSchema(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(migratorLock)}::bigint)`.execute(db);
  // The migrator would go on after a refusal, in a transaction that has failed, and say only that.
  await sql`create table agon_may_be_made (id integer)`.execute(db);
  await sql`drop table agon_may_be_made`.execute(db);
}

export async function keepMeta(db: Db, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(db);
  return rows.map(({ name }) => name);
}

/** The migrator looks for its tables in every schema; another ledger may be in one. */
async function findMigratorTables(db: Db, kind: Kind): Promise<{ migrationTableSchema?: string }> {
  if (kind === 'sqlite') return {};
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(db);
  return { migrationTableSchema: rows[0]!.schema };
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
