import type { Database } from './database.ts';
import type { AnswerCache } from './ledger.ts';
import { fromStored, storedVersion, toStored } from './stored-json.ts';

export function cacheStore({ db, write }: Database): AnswerCache {
  return {
    async find(key) {
      const row = await db.selectFrom('cache').select(['version', 'value']).where('key', '=', key).executeTakeFirst();
      return row && fromStored('cache', row.version, row.value);
    },
    async keep(key, value) {
      const kept = { version: storedVersion, value: toStored(value), kept_at: new Date().toISOString() };
      await write((trx) =>
        trx
          .insertInto('cache')
          .values({ key, ...kept })
          .onConflict((conflict) => conflict.column('key').doUpdateSet(kept))
          .execute(),
      );
    },
  };
}
