import { sql, type Selectable } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import type { KeyedRequest } from '@agonhq/engine/keyed-request';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { oneOf, putRow } from '../database/fixed-query.ts';
import { readAll } from '../database/pages.ts';
import { fromStored, readMoment, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { makeOnce } from '../server/make-once.ts';
import type { Tables } from '../schema/tables.ts';

/** A bench on record: what was measured, and how far it came. */
export interface BenchRow {
  /** Given by the caller, a hash of its plan: the same plan is the same bench. */
  id: string;
  name: string;
  /** The plan as it was given: data files with hashes, systems, seeds, repeats. */
  plan: unknown;
  state: BenchState;
  startedAt: Date;
  endedAt: Date | null;
  /** How many judgements are kept. */
  judged: number;
}

export type BenchState = 'running' | 'done' | 'stopped' | 'failed';

export interface BenchJudgement {
  key: string;
  result: unknown;
}

/**
 * What a bench keeps: its judgements, so that it goes on where it was stopped and its report is made again without a
 * call.
 */
export interface BenchStore {
  /** Begins a bench, or takes it up again: its state is running from now on. */
  startBench(bench: { id: string; name: string; plan: unknown }, once?: KeyedRequest): Promise<BenchRow>;
  endBench(id: string, state: Exclude<BenchState, 'running'>): Promise<void>;
  /** By its whole id, or by the beginning of it from four characters on; where several begin so, that is an error. */
  findBench(id: string): Promise<BenchRow | undefined>;
  /** The newest first; `before` is the id of the last one that was listed. */
  listBenches(options?: { limit?: number; before?: string }): Promise<BenchRow[]>;
  /** Keeps judgements, all of them or none; a key that is there keeps its first value. */
  keepJudgements(id: string, judgements: readonly BenchJudgement[]): Promise<void>;
  /** All judgements by key, read page by page. */
  readJudgements(id: string): AsyncIterable<BenchJudgement>;
  /** Those of these keys that are kept. */
  findJudgements(id: string, keys: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Keeps what else belongs to a bench, by name (`sheet-0`): the last value counts. */
  keepAttached(id: string, name: string, value: unknown): Promise<void>;
  findAttached(id: string, name: string): Promise<unknown>;
  /** Takes a bench away with everything in it. */
  removeBench(id: string): Promise<void>;
}

/** From so many characters on, the beginning of an id may stand for it. */
const shortestBeginning = 4;

const judgementsAtOnce = 100;

const listedAtMost = 50;

/** Benches with what they judged, for reports that cost no call. */
export function benchStore({ db, kind, write, scrub }: Database): BenchStore {
  const withId = async (id: string) => {
    const row = await selectBenches(db).where('benches.id', '=', toStorable(id)).executeTakeFirst();
    return row && readBench(row);
  };
  return {
    async startBench({ id, name, plan }, once) {
      const now = new Date().toISOString();
      const row = {
        id,
        version: storedVersion,
        name: toStorable(name),
        plan: toStored(plan),
        state: 'running' as const,
        started_at: now,
        ended_at: null,
        touched_at: now,
      };
      const insert = async (trx: Trx) => {
        await trx
          .insertInto('benches')
          .values(row)
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ state: 'running', ended_at: null, touched_at: now }),
          )
          .execute();
        return id;
      };
      return (await withId(await write((trx) => makeOnce(trx, kind, once, () => insert(trx)))))!;
    },
    async endBench(id, state) {
      const ended_at = new Date().toISOString();
      await write((trx) => touchBench(trx, id, { state, ended_at, touched_at: ended_at }));
    },
    findBench: async (id) => (await withId(id)) ?? findByBeginning(db, id),
    async listBenches({ limit = listedAtMost, before } = {}) {
      let query = selectBenches(db).orderBy('benches.started_at', 'desc').orderBy('benches.id', 'desc').limit(limit);
      if (before !== undefined) {
        const last = await db
          .selectFrom('benches')
          .select(['started_at', 'id'])
          .where('id', '=', before)
          .executeTakeFirst();
        if (!last) throw unknownBench(before);
        query = query.where(({ eb, refTuple, tuple }) =>
          eb(refTuple('benches.started_at', 'benches.id'), '<', tuple(last.started_at, last.id)),
        );
      }
      return (await query.execute()).map(readBench);
    },
    async keepJudgements(id, judgements) {
      const first = new Map<string, string>();
      for (const { key, result } of judgements) if (!first.has(key)) first.set(key, toStored(result));
      const rows = [...first].map(([key, result]) => [encodeKey(key), result] as const);
      if (rows.length === 0) return;
      await write(async (trx) => {
        await touchBench(trx, id);
        for (let at = 0; at < rows.length; at += judgementsAtOnce)
          await insertJudgements(trx, kind, id, rows.slice(at, at + judgementsAtOnce));
      });
    },
    async *readJudgements(id) {
      const query = db.selectFrom('bench_judgements').select(['key', 'version', 'result']).where('bench', '=', id);
      for await (const { key, version, result } of readAll(query, ['key'], judgementsAtOnce))
        yield { key: decodeKey(key), result: fromStored('bench-judgement', version, result) };
    },
    async findJudgements(id, keys) {
      const rows = await db
        .selectFrom('bench_judgements')
        .select(['key', 'version', 'result'])
        .where('bench', '=', id)
        .where(oneOf(kind, 'key', keys.map(encodeKey)))
        .execute();
      return new Map(
        rows.map(({ key, version, result }) => [decodeKey(key), fromStored('bench-judgement', version, result)]),
      );
    },
    async keepAttached(id, name, value) {
      const kept = { version: storedVersion, value: toStored(value) };
      await write(async (trx) => {
        await touchBench(trx, id);
        await putRow(trx, 'bench_attachments', { bench: id, name: toStorable(name) }, kept);
      });
    },
    async findAttached(id, name) {
      const row = await db
        .selectFrom('bench_attachments')
        .select(['version', 'value'])
        .where('bench', '=', id)
        .where('name', '=', toStorable(name))
        .executeTakeFirst();
      return row && fromStored('bench-attachment', row.version, row.value);
    },
    async removeBench(id) {
      // Its judgements and attachments go with it.
      await write((trx) => trx.deleteFrom('benches').where('id', '=', id).execute());
      await scrub();
    },
  };
}

/** Keys come with the data. As JSON they hold any character, each on both databases, and no two become one. */
export function encodeKey(key: string): string {
  return JSON.stringify(key);
}

export function decodeKey(column: string): string {
  return JSON.parse(column) as string;
}

/** Says that a bench is in use, and makes others who write to it wait, so that keys in any order lock nobody out. */
async function touchBench(trx: Trx, id: string, change: Partial<Tables['benches']> = {}): Promise<void> {
  const touched = { touched_at: new Date().toISOString(), ...change };
  const row = await trx.updateTable('benches').set(touched).where('id', '=', id).returning('id').executeTakeFirst();
  if (!row) throw unknownBench(id);
}

/** One statement with one parameter for all of them: many parameters take longer than the rows. */
async function insertJudgements(
  trx: Trx,
  kind: Kind,
  bench: string,
  rows: readonly (readonly [key: string, result: string])[],
): Promise<void> {
  const all = JSON.stringify(rows);
  const each =
    kind === 'sqlite' ? sql`json_each(${all})` : sql`json_array_elements(cast(${all} as json)) as each (value)`;
  await sql`
    insert into bench_judgements (bench, key, version, result)
    select cast(${bench} as text), value ->> 0, cast(${storedVersion} as integer), value ->> 1
    from ${each}
    where true
    on conflict (bench, key) do nothing`.execute(trx);
}

async function findByBeginning(db: Db, beginning: string): Promise<BenchRow | undefined> {
  if (beginning.length < shortestBeginning) return undefined;
  const words = toStorable(beginning);
  const rows = await selectBenches(db)
    .where(sql<boolean>`substr(benches.id, 1, length(cast(${words} as text))) = ${words}`)
    .orderBy('benches.id')
    .limit(3)
    .execute();
  if (rows.length < 2) return rows[0] && readBench(rows[0]);
  const [one, other, more] = rows;
  throw new AgonError(
    'ambiguous-bench',
    `Several benches begin with ${beginning}: ${one!.id}, ${other!.id}${more ? ', …' : ''}.`,
    'Give more of the id.',
  );
}

function selectBenches(db: Db) {
  return db
    .selectFrom('benches')
    .selectAll('benches')
    .select(({ selectFrom }) =>
      selectFrom('bench_judgements')
        .select(({ fn }) => fn.countAll().as('kept'))
        .whereRef('bench_judgements.bench', '=', 'benches.id')
        .as('judged'),
    );
}

function readBench(row: Selectable<Tables['benches']> & { judged: unknown }): BenchRow {
  const { id, version, name, plan, state, started_at, ended_at, judged } = row;
  return {
    id,
    name,
    plan: fromStored('bench', version, plan),
    state,
    startedAt: new Date(started_at),
    endedAt: readMoment(ended_at),
    judged: Number(judged),
  };
}

function unknownBench(id: string): AgonError {
  return new AgonError('unknown-bench', `The ledger has no bench ${id}.`, {
    library: 'List the benches on record.',
    cli: '`agon bench list` lists them.',
    api: 'GET /api/benches lists them.',
  });
}
