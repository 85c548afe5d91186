import { createHash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import type { Db as JobDb, Job, PgBoss } from 'pg-boss';
import { AgonError } from '../../errors.ts';
import { sha256 } from '../../hash.ts';
import type { Database, Db, Trx } from '../database/database.ts';
import type { Holder } from '../runs/item-outcomes.ts';
import type { TakenItem } from '../runs/workers.ts';

/** pg-boss beside a ledger, with a queue for each run. Nothing is loaded or made before it is asked for. */
export interface JobQueues {
  boss(): Promise<PgBoss>;
  /** The name of pg-boss's schema. */
  schema(): Promise<string>;
  /** Makes the queue of a run unless it is there. */
  open(run: string): Promise<PgBoss>;
}

const day = 86_400;

/** Whether an item is tried again, and when, is decided by `run_items`; pg-boss never gives up by itself. */
const queueOptions = {
  retryLimit: 1_000_000,
  expireInSeconds: day,
  retentionSeconds: 3_650 * day,
  deleteAfterSeconds: day,
};

export function createJobQueues({ db, place }: Pick<Database, 'db' | 'place'>): JobQueues {
  const schema = once(() => chooseSchema(db));
  const boss = once(async () => startBoss(db, await schema(), place));
  const opened = new Map<string, () => Promise<PgBoss>>();
  const make = (run: string) =>
    once(async () => {
      const ready = await boss();
      await ready.createQueue(run, queueOptions);
      // It looks a queue up when it first meets it, which must not be in a transaction: that would wait for a second
      // connection.
      await ready.findJobs(run, { id: makeJobId(run, 0) });
      return ready;
    });
  return {
    boss,
    schema,
    async open(run) {
      if (!opened.has(run)) opened.set(run, make(run));
      return opened.get(run)!();
    },
  };
}

const mostUrgent = 2_147_483_647;
const positionsAtMost = 50_000_000;

/** The jobs of a batch have one moment in common; their order is that of the input. */
export function computePriority(position: number): number {
  return -Math.min(position, mostUrgent);
}

/**
 * Items that are tried by themselves are above all others, which have 0 and less: each kind can be fetched without the
 * other. They come in turn: one that was tried waits for the rest.
 */
export function computeAlonePriority(position: number, attempts: number): number {
  return Math.max(1, mostUrgent - attempts * positionsAtMost - Math.min(position, positionsAtMost - 1));
}

/** The same item has the same job, so that enqueueing it twice is one job. SQL computes it too: see `jobIdInSql`. */
export function makeJobId(run: string, position: number): string {
  const hex = createHash('md5').update(`${run}:${position}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export const jobIdInSql = sql<string>`md5(run_items.run || ':' || run_items.position)::uuid`;

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

async function chooseSchema(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  const { name } = rows[0]!;
  if (name === 'public') return 'agon_queue';
  // pg-boss takes at most 50 letters.
  return /^[a-z_][a-z0-9_]{0,43}$/.test(name) ? `${name}_queue` : `agon_queue_${sha256(name).slice(7, 23)}`;
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

/** A job and the number of its fetch: pg-boss keeps a job alive only for whoever fetched it last. */
type Claim = Pick<Job, 'id' | 'retryCount'>;

export function formatClaim({ id, retryCount }: Claim): string {
  return `${id}:${retryCount}`;
}

export function parseClaim({ claim }: Pick<TakenItem, 'claim'>): Claim {
  const [id = '', retryCount] = claim.split(':');
  return { id, retryCount: Number(retryCount) };
}

/** Says which of these claims still hold, and that their worker is alive. */
export async function touchClaims(boss: PgBoss, run: string, claims: Claim[]): Promise<readonly string[]> {
  // The ids are not in the type that pg-boss declares.
  const { settled } = (await boss.touch(run, claims)) as { settled: string[] };
  return settled;
}

/** Jobs that were taken wait again, after a pause; their next fetch has a number of its own. */
export async function requeueJobs(
  boss: PgBoss,
  trx: Trx,
  run: string,
  ids: readonly string[],
  pauseMs = 0,
): Promise<void> {
  if (ids.length === 0) return;
  await boss.cancel(run, [...ids], inTransaction(trx));
  await boss.resume(run, [...ids], inTransaction(trx));
  if (pauseMs > 0)
    for (const id of ids) await boss.update(run, undefined, { id, startAfter: pauseMs / 1_000, ...inTransaction(trx) });
}

/** From now on a job is fetched by itself only. */
export async function setJobApart(boss: PgBoss, trx: Trx, { run, position, attempts }: Holder): Promise<void> {
  const options = { id: makeJobId(run, position), priority: computeAlonePriority(position, attempts) };
  await boss.update(run, undefined, { ...options, ...inTransaction(trx) });
}
