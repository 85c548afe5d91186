import { sql } from 'kysely';
import { AgonError } from '../../errors.ts';
import type { Database } from '../database/database.ts';
import { isInForce, makeHoldError } from '../holds/check-holds.ts';
import {
  earliestSchema,
  migrateDatabase,
  migrateTo,
  migrationNames,
  readSchemaNumber,
  schemaNumber,
  upgradedFromKey,
} from '../migrations/migrate.ts';
import type { LedgerPlace } from '../open-ledger.ts';
import { describeTables } from './table-shapes.ts';
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
  /** The schema that it would be taken back to: the one before its last upgrade, unless another is named. */
  planRollback(options: RollbackOptions): Promise<number>;
  rollBack(schema: number): Promise<void>;
}

export interface RollbackOptions {
  to?: number | undefined;
  /** Goes back although holds are in force, which the earlier Agon does not know. */
  despiteHolds?: boolean;
}

/** What connections to PostgreSQL are called by: those who look after it, and those who work with it. */
const careName = 'agon-care';
const workName = 'agon';

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
    planRollback: async (options) => planRollback(database, await requireLedger(database, await readSchema()), options),
    rollBack: (schema) => migrateTo(db, kind, schema),
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

async function planRollback(
  database: Database,
  found: number,
  { to, despiteHolds = false }: RollbackOptions,
): Promise<number> {
  const { db, place } = database;
  const before = await db.selectFrom('meta').select('value').where('key', '=', upgradedFromKey).executeTakeFirst();
  const target = to ?? (before ? Number(before.value) : found);
  if (target === found || target < earliestSchema || target > found)
    throw new AgonError(
      'no-way-back',
      target === found
        ? `The ledger ${place} has schema ${found} and was never upgraded from another.`
        : `The ledger ${place} has schema ${found}, and cannot be taken back to ${target}.`,
      `Schemas from ${earliestSchema} on can be named with --to; for earlier ones, restore the backup of then.`,
    );
  await assertAlone(database);
  const tables = new Set((await describeTables(db, database.kind)).map(({ name }) => name));
  if (tables.has('teams') && target < teamsSchema) await refuseTeams(database, target);
  if (tables.has('legal_holds') && !despiteHolds) {
    const hold = await db.selectFrom('legal_holds').selectAll().where(isInForce(new Date())).executeTakeFirst();
    if (hold) throw makeRollbackError(hold.id, makeHoldError(hold));
  }
  return target;
}

/** The first schema with a list of teams. */
const teamsSchema = migrationNames.indexOf('0032-teams') + 1;

/** Their ledgers would stay behind, and nobody would know whose they are. The ledger of a team has none. */
async function refuseTeams({ db, place }: Database, target: number): Promise<void> {
  const team = await db.selectFrom('teams').select('name').orderBy('name').executeTakeFirst();
  if (!team) return;
  throw new AgonError(
    'no-way-back',
    `The ledger ${place} has the team ${team.name}, and schema ${target} knows no teams. Nothing was changed.`,
    'Back up each of `agon teams` (agon ledger backup --team NAME) and remove it (agon teams remove NAME --yes), ' +
      `or go back to no schema before ${teamsSchema} (--to ${teamsSchema}).`,
  );
}

function makeRollbackError(id: string, cause: AgonError): AgonError {
  return new AgonError(
    'legal-hold',
    `The hold ${id} is in force, and an earlier Agon would not heed it. Nothing was changed.`,
    'Lift it, or say --despite-holds: it stays in the audit log, and is in force again after the next upgrade.',
    { cause },
  );
}

/** Whoever has it open would find its tables gone. Of a file, that cannot be told. */
async function assertAlone({ db, kind, place }: Database): Promise<void> {
  if (kind === 'sqlite') return;
  const { rows } = await sql<{ others: string }>`
    select count(*) as others from pg_stat_activity where datname = current_database()
    and application_name = ${workName}`.execute(db);
  if (Number(rows[0]!.others) > 0)
    throw new AgonError(
      'ledger-in-use',
      `${rows[0]!.others} other connections of Agon to ${place} are open. Nothing was changed.`,
      'Stop servers and workers first.',
    );
}
