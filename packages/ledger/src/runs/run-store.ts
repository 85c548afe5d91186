import { sql } from 'kysely';
import type { Database, Kind, Trx } from '../database/database.ts';
import { insertNew, oneOf } from '../database/fixed-query.ts';
import { readNewest } from '../database/pages.ts';
import { storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { makeOnce } from '../server/make-once.ts';
import { countItems, countOutcomes, readErrorCode } from './count-items.ts';
import { runAccounts } from './run-accounts.ts';
import { findByContent, runGrid } from './run-grid.ts';
import { lockRun, readItem, readRun, selectItems } from './run-rows.ts';
import type { RunStore } from './runs.ts';
import { putItems } from './put-items.ts';

/** Runs, their items and what they may spend. */
export function runStore(database: Database): RunStore {
  const { db, kind, write } = database;
  const find = async (id: string) => {
    const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
    return row && readRun(row);
  };
  const reopen = async (id: string) => {
    await write(async (trx) => {
      await lockRun(trx, kind, id);
      await trx
        .updateTable('runs')
        .set({ state: 'running', problem: null, ended_at: null })
        .where('id', '=', id)
        .execute();
    });
  };
  return {
    findRun: find,
    reopenRun: reopen,
    async startRun({ id, name, job, configuration, settings, input }, once) {
      let isNew = false;
      const insert = async (trx: Trx) => {
        isNew = await insertNew(
          trx.insertInto('runs').values({
            id,
            version: storedVersion,
            name: toStorable(name),
            job,
            configuration,
            settings: toStored(settings),
            input: toStorable(input),
            state: 'running',
            problem: null,
            total: null,
            started_at: new Date().toISOString(),
            ended_at: null,
          }),
        );
        return id;
      };
      const started = await write((trx) => makeOnce(trx, kind, once, () => insert(trx)));
      if (started === id && !isNew) await reopen(id);
      return (await find(started))!;
    },
    async endRun(id, state, problem = null) {
      const ended = { state, problem: toStorable(problem), ended_at: new Date().toISOString() };
      await write(async (trx) => {
        // Who still works on a run that somebody cancelled does not undo that.
        await trx
          .updateTable('runs')
          .set(ended)
          .where('id', '=', id)
          .$if(state !== 'cancelled', (query) => query.where('state', '<>', 'cancelled'))
          .execute();
        await endLateSameItems(trx, id, ended.ended_at);
        // The account has them; what a crash left unsettled stays set aside.
        if (state === 'finished')
          await trx.deleteFrom('reservations').where('run', '=', id).where('settled', '=', 1).execute();
      });
    },
    async changePlan(id, settings) {
      await write((trx) =>
        trx
          .updateTable('runs')
          .set({ version: storedVersion, settings: toStored(settings) })
          .where('id', '=', id)
          .execute(),
      );
    },
    async findRunsNamed(words) {
      const rows = await db
        .selectFrom('runs')
        .selectAll()
        .where(({ or, eb }) =>
          or([
            eb('name', '=', toStorable(words)),
            sql<boolean>`substr(${sql.ref('id')}, 1, ${sql.lit(words.length)}) = ${words}`,
          ]),
        )
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(readRun);
    },
    async listRuns({ states, limit } = {}) {
      let query = db.selectFrom('runs').selectAll().orderBy('started_at', 'desc').orderBy('id', 'desc');
      if (states) query = query.where('state', 'in', states.length > 0 ? states : [null!]);
      if (limit !== undefined) query = query.limit(limit);
      return (await query.execute()).map(readRun);
    },
    pageRuns({ state, job }, options) {
      let query = db.selectFrom('runs').selectAll();
      if (state !== undefined) query = query.where('state', '=', state);
      if (job !== undefined) query = query.where('job', '=', job);
      return readNewest(query, ['started_at', 'id'], options, 'runs', readRun);
    },
    async markLoaded(run, total) {
      await write((trx) => trx.updateTable('runs').set({ total }).where('id', '=', run).execute());
    },
    countItems: (run) => countItems(db, kind, run),
    countOutcomes: (run) => countOutcomes(db, run),
    isRunOver: async (run) =>
      !(await db
        .selectFrom('run_items')
        .select('position')
        .where('run', '=', run)
        .where('state', 'in', ['waiting', 'running'])
        .limit(1)
        .executeTakeFirst()),
    ...runGrid(database),
    ...runItemStore(database),
    ...runAccounts(database),
  };
}

type ItemMethods = Pick<
  RunStore,
  'putItems' | 'listItems' | 'findItemsByKey' | 'findItemsByHash' | 'retryFailedItems' | 'cancelRun'
>;

function runItemStore({ db, kind, write }: Database): ItemMethods {
  return {
    putItems: (run, items) => write((trx) => putItems(trx, kind, run, items)),

    async listItems(run, { order, after = null, limit, states }) {
      let query = selectItems(db).where('run_items.run', '=', run).limit(limit);
      if (states) query = query.where(oneOf(kind, 'run_items.state', states));
      if (order === 'input') {
        query = query.orderBy('run_items.position');
        if (after) query = query.where('run_items.position', '>', after.position);
      } else {
        query = query
          .where('run_items.ended_at', 'is not', null)
          .orderBy('run_items.ended_at')
          .orderBy('run_items.position');
        const { endedAt, position } = after ?? {};
        if (endedAt && position !== undefined) {
          query = query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple('run_items.ended_at', 'run_items.position'), '>', tuple(endedAt.toISOString(), position)),
          );
        }
      }
      return (await query.execute()).map(readItem);
    },

    async findItemsByKey(run, keys) {
      const rows = await selectItems(db)
        .where('run_items.run', '=', run)
        .where(oneOf(kind, 'run_items.key', keys.map(toStorable)))
        .execute();
      return new Map(rows.map((row) => [row.key, readItem(row)]));
    },

    findItemsByHash: (run, hashes) => findByContent(db, kind, run, hashes),

    retryFailedItems: (run, code) => write((trx) => retryFailedItems(trx, kind, run, code)),

    cancelRun: (run) =>
      write(async (trx) => {
        await lockRun(trx, kind, run);
        await trx
          .updateTable('runs')
          .set({ state: 'cancelled', ended_at: new Date().toISOString() })
          .where('id', '=', run)
          .execute();
        const { waiting } = await trx
          .selectFrom('run_items')
          .select(({ fn }) => fn.countAll().as('waiting'))
          .where('run', '=', run)
          .where('state', '=', 'waiting')
          .executeTakeFirstOrThrow();
        return Number(waiting);
      }),
  };
}

/** Failed items wait again; a broken line has nothing that could be judged. */
async function retryFailedItems(trx: Trx, kind: Kind, run: string, code?: string): Promise<number> {
  await lockRun(trx, kind, run);
  const rows = await trx
    .updateTable('run_items')
    .set({ state: 'waiting', attempts: 0, worker: null, due_at: null, error: null, ended_at: null })
    .where('run', '=', run)
    .where('state', '=', 'failed')
    .where('input', 'is not', null)
    .$if(code !== undefined, (query) => query.where(readErrorCode(kind), '=', code!))
    .returning('position')
    .execute();
  const positions = rows.map(({ position }) => position);
  await trx
    .updateTable('run_items')
    .set({ ended_at: null })
    .where('run', '=', run)
    .where('same_as', 'is not', null)
    .where(oneOf(kind, 'same_as', positions))
    .execute();
  return positions.length;
}

/** Items that were put in at the very moment at which the one of the same content ended: nobody has told them yet. */
async function endLateSameItems(trx: Trx, run: string, ended_at: string): Promise<void> {
  await trx
    .updateTable('run_items')
    .set({ ended_at })
    .where('run', '=', run)
    .where('same_as', 'is not', null)
    .where('ended_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('run_items as judged')
          .select('judged.position')
          .whereRef('judged.run', '=', 'run_items.run')
          .whereRef('judged.position', '=', 'run_items.same_as')
          .where('judged.ended_at', 'is not', null),
      ),
    )
    .execute();
}
