import { sql } from 'kysely';
import type { Database, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { readNewest } from '../database/pages.ts';
import { storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { makeOnce } from '../server/make-once.ts';
import { countItems, countOutcomes } from './count-items.ts';
import { runAccounts } from './run-accounts.ts';
import { runGrid } from './run-grid.ts';
import { endLateSameItems, runItemStore } from './run-item-store.ts';
import { lockRun, readRun } from './run-rows.ts';
import type { RunStore } from './runs.ts';

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
