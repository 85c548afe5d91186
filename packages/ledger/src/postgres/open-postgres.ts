import { Kysely, PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { PoolClient } from 'pg';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import type { Database } from '../database/database.ts';
import { migrateDatabase } from '../migrations/migrate.ts';
import { prepareVectors } from '../precedents/vector-index.ts';
import type { Tables } from '../schema/tables.ts';
import { copyIn, isCopy } from './copy-in.ts';
import { makeDays } from './partitions.ts';
import { postgresNotices } from './notices.ts';
import { namePostgresError } from './postgres-errors.ts';

const connectMs = 10_000;
/** Shared by all stores; statements are short, so that this serves hundreds of debates at once. */
const mostConnections = 10;
/** As long as on SQLite. */
const lockMs = 30_000;
/**
 * A process that was stopped in the midst of a transaction lets go of its locks before those give up who wait for
 * them.
 */
const stalledMs = 20_000;

export interface OpenOptions {
  /** False to leave its schema as it is: for those who look after the ledger itself. */
  migrate?: boolean;
  connections?: number;
  /** What its connections are called in the server's own tables. */
  name?: string;
}

/** Opens a ledger on a server. */
export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Database> {
  const place = describePlace(url);
  needPart('postgres');
  const { default: pg } = await import('pg');
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: options.name ?? 'agon',
  };
  const pool = new pg.Pool({
    ...connection,
    max: options.connections ?? mostConnections,
    // Positions and sums are far below 2⁵³: they are numbers here, as they are on SQLite.
    types: {
      getTypeParser: (type, format) =>
        (type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format)) as never,
    },
  });
  pool.on('connect', (client) => {
    // One that breaks in somebody's hands fails the query that runs, or the next one; an event that nobody hears
    // would end the process.
    client.on('error', () => undefined);
    void client
      .query(`set lock_timeout = ${lockMs}; set idle_in_transaction_session_timeout = ${stalledMs}`)
      .catch(() => undefined);
  });
  // A connection that breaks while nobody uses it is replaced by the next query, which says so when it cannot be.
  pool.on('error', () => undefined);
  await assertSchema(pool, url, place);
  const database = await postgresDatabase(pool, place, options);
  return { ...database, notices: postgresNotices(database.db, () => new pg.Client(connection)) };
}

/** A pooler in between may leave out what a connection was to begin with: then this would be another's ledger. */
async function assertSchema(pool: PostgresPool & { end(): Promise<void> }, url: string, place: string): Promise<void> {
  const wanted = /search_path\s*=\s*([\w]+)\s*$/.exec(new URL(url).searchParams.get('options') ?? '')?.[1];
  if (wanted === undefined) return;
  const { rows } = await connectOnce(pool, place);
  if (rows[0]?.schema === wanted) return;
  await pool.end();
  throw new AgonError(
    'ledger-refused',
    `PostgreSQL at ${place} does not work in the schema ${wanted}, as it was asked to.`,
    'The schema may be gone; or a pooler in front drops `options`: let it pass them on, or connect without it.',
  );
}

async function connectOnce(pool: PostgresPool, place: string): Promise<{ rows: { schema: string | null }[] }> {
  const client = await nameErrors(pool, place).connect();
  try {
    return (await client.query('select current_schema() as schema', [])) as { rows: { schema: string | null }[] };
  } finally {
    client.release();
  }
}

/** A ledger on connections of whatever kind: of a server, or of PostgreSQL within this process. */
export async function postgresDatabase(
  pool: PostgresPool,
  place: string,
  { migrate = true }: OpenOptions = {},
): Promise<Database> {
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: nameErrors(pool, place) }) });
  try {
    const upgradedFrom = migrate ? await migrateDatabase(db, 'postgresql', place) : null;
    if (migrate) await makeDays(db);
    const vectors = migrate && (await prepareVectors(db));
    return {
      kind: 'postgresql',
      place,
      db,
      write: (work) => db.transaction().execute(work),
      vectors,
      upgradedFrom,
      async snapshot() {
        const moment = await db
          .startTransaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute();
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(moment);
        return { db: moment, [Symbol.asyncDispose]: () => moment.commit().execute() };
      },
      async bytes() {
        const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(db);
        return Number(rows[0]!.bytes);
      },
      // Dead rows are overwritten by autovacuum, whose settings are the server's.
      scrub: async () => undefined,
      close: () => db.destroy(),
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

function describePlace(text: string): string {
  try {
    const { hostname, port, pathname } = new URL(text);
    return `${hostname || 'localhost'}${port ? `:${port}` : ''}/${decodeURIComponent(pathname.slice(1))}`;
  } catch {
    // The text may hold a password: it is not repeated.
    throw new AgonError(
      'bad-ledger-place',
      'The address of the PostgreSQL server is no URL.',
      'Write it as postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special letters percent-encoded.',
    );
  }
}

function nameErrors(pool: PostgresPool, place: string): PostgresPool {
  const naming = async <Result>(work: Promise<Result>) => {
    try {
      return await work;
    } catch (error) {
      throw namePostgresError(error, place);
    }
  };
  return {
    options: pool.options,
    async connect() {
      const client = await naming(pool.connect());
      // The driver calls it with words and parameters only: it has no cursor.
      const query = (words: unknown, parameters?: unknown) =>
        naming<unknown>(
          isCopy(words)
            ? copyIn(client as PoolClient, words, (parameters as [Buffer])[0])
            : client.query(words as string, parameters as unknown[]),
        );
      return {
        processID: client.processID,
        query,
        release: (broken?: boolean) => client.release(broken),
      } as PostgresPoolClient;
    },
    end: () => pool.end(),
  };
}
