import type { Selectable } from 'kysely';
import type { Database } from './database.ts';
import type { RunRow, RunStore } from './runs.ts';
import { fromStored, plain, storedVersion, toStored } from './stored-json.ts';
import type { Tables } from './tables.ts';

export function runStore({ db }: Database): RunStore {
  const find = async (id: string) => {
    const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
    return row && runOf(row);
  };
  return {
    find,
    async start({ id, name, job, configuration, settings, input }) {
      await db
        .insertInto('runs')
        .values({
          id, version: storedVersion, name: plain(name), job, configuration, settings: toStored(settings), input: plain(input),
          state: 'running', started_at: new Date().toISOString(), ended_at: null,
        })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ state: 'running', ended_at: null }))
        .execute();
      return (await find(id))!;
    },
    async end(id, state) {
      await db.updateTable('runs').set({ state, ended_at: new Date().toISOString() }).where('id', '=', id).execute();
    },
    list: async () => (await db.selectFrom('runs').selectAll().orderBy('started_at', 'desc').orderBy('id', 'desc').execute()).map(runOf),
  };
}

function runOf({ id, version, name, job, configuration, settings, input, state, started_at, ended_at }: Selectable<Tables['runs']>): RunRow {
  return {
    id, name, job, configuration, settings: fromStored('run', version, settings), input, state,
    startedAt: new Date(started_at), endedAt: ended_at === null ? null : new Date(ended_at),
  };
}
