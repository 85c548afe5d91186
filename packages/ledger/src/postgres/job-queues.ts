import { CompiledQuery, sql } from 'kysely';
import type { Db as JobDb, PgBoss } from 'pg-boss';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Database, Db, Trx } from '../database/database.ts';
import { readPlannedTerms } from './planned-terms.ts';
import { chooseQueueSchema, nameQueue } from './queue-schema.ts';

/** pg-boss beside a ledger, with a queue for each run. Nothing is loaded or made before it is asked for. */
export interface JobQueues {
  boss(): Promise<PgBoss>;
  /** The name of pg-boss's schema. */
  schema(): Promise<string>;
  /** Makes the queue of a run unless it is there. */
  open(run: string): Promise<PgBoss>;
  /** How many items of a run go into a slice, as its plan says. */
  sliceSize(run: string): Promise<number>;
}

const day = 86_400;

/** Of runs whose plan does not say it. */
const usualSlice = 100;

/** Whether an item is tried again, and when, is decided by `run_items`; pg-boss never gives up by itself. */
const queueOptions = {
  retryLimit: 1_000_000,
  expireInSeconds: day,
  retentionSeconds: 3_650 * day,
  deleteAfterSeconds: day,
};

export function createJobQueues({ db, place }: Pick<Database, 'db' | 'place'>): JobQueues {
  const schema = once(() => chooseQueueSchema(db));
  const boss = once(async () => startBoss(db, await schema(), place));
  const opened = new Map<string, () => Promise<PgBoss>>();
  const sizes = new Map<string, number>();
  const make = (run: string) =>
    once(async () => {
      const ready = await boss();
      await ready.createQueue(nameQueue(run), queueOptions);
      // It looks a queue up when it first meets it, which must not be in a transaction: that would wait for a second
      // connection.
      await ready.findJobs(nameQueue(run), { id: '00000000-0000-0000-0000-000000000000' });
      return ready;
    });
  return {
    boss,
    schema,
    async open(run) {
      if (!opened.has(run)) opened.set(run, make(run));
      return opened.get(run)!();
    },
    async sliceSize(run) {
      const known = sizes.get(run);
      if (known !== undefined) return known;
      const planned = await readPlannedTerms(db, run);
      const size = planned?.slice ?? usualSlice;
      if (planned) sizes.set(run, size);
      return size;
    },
  };
}

/** pg-boss's statements in a transaction of the ledger. */
export function inTransaction(trx: Trx): { db: JobDb } {
  return {
    db: {
      executeSql: async (text, values = []) => ({
        rows: [...(await trx.executeQuery(CompiledQuery.raw(text, values))).rows],
      }),
    },
  };
}

/** Started for its schema alone: whoever works calls `reclaim`, so none of pg-boss's timers has to run. */
async function startBoss(db: Db, schema: string, place: string): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  // One after the other: two that make the schema at the same moment are in each other's way.
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`agon.${schema}`}, 0))`.execute(trx);
    const { rows } = await sql<{ made: boolean }>`select to_regnamespace(${schema}) is not null as made`.execute(trx);
    const boss = new PgBoss({
      db: useConnections(db),
      schema,
      createSchema: !rows[0]!.made,
      supervise: false,
      schedule: false,
    });
    // Every statement is one that somebody waits for, and who waits is told.
    boss.on('error', () => undefined);
    try {
      await boss.start();
    } catch (error) {
      throw AgonError.is(error) && error.code === 'ledger-refused' ? makeSchemaError(schema, place, error) : error;
    } finally {
      await boss.stop({ graceful: false, close: false });
    }
    return boss;
  });
}

function makeSchemaError(schema: string, place: string, cause: AgonError): AgonError {
  const message = `PostgreSQL at ${place} does not let this user create the schema ${schema} for the items of runs.`;
  return new AgonError(
    cause.code,
    message,
    `Let the owner of the database run: create schema ${schema} authorization USER`,
    { cause },
  );
}

/**
 * pg-boss shares the ledger's connections. Some of its texts are whole transactions: a failed one is not left open on
 * a connection.
 */
function useConnections(db: Db): JobDb {
  return {
    executeSql: (text, values = []) =>
      db.connection().execute(async (connection) => {
        try {
          return { rows: [...(await connection.executeQuery(CompiledQuery.raw(text, values))).rows] };
        } catch (error) {
          await sql`rollback`.execute(connection).catch(() => undefined);
          throw error;
        }
      }),
  };
}

/** Done once; tried again when it failed. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = undefined;
      throw error;
    }));
}
