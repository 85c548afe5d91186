import { setTimeout as pause } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Journal } from '../../debate/index.ts';
import { keepCalls } from '../calls/call-store.ts';
import type { Database, Db, Kind } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { fromStored, storedVersion, toStored } from '../database/stored-json.ts';

const findEntry = fixedQuery((db, { debate, key, inputHash }: { debate: string; key: string; inputHash: string }) =>
  db
    .selectFrom('entries')
    .select(['version', 'entry'])
    .where('debate', '=', debate)
    .where('key', '=', key)
    .where('input_hash', '=', inputHash),
);

const findEntries = fixedQuery((db, { debate }: { debate: string }) =>
  db.selectFrom('entries').select(['version', 'entry']).where('debate', '=', debate),
);

export function journalStore({ db, kind, write }: Database): Journal {
  const find = async (debate: string, key: string, inputHash: string) => {
    const {
      rows: [row],
    } = await findEntry(db, { debate, key, inputHash });
    return row && fromStored('entry', row.version, row.entry);
  };
  return {
    find,
    of: async (debate) =>
      (await findEntries(db, { debate })).rows.map(({ version, entry }) => fromStored('entry', version, entry)),
    async insert(debate, entry) {
      const row = {
        debate,
        key: entry.key,
        inputHash: entry.inputHash,
        version: storedVersion,
        entry: toStored(entry),
        createdAt: new Date().toISOString(),
      };
      // One statement is a transaction of its own on PostgreSQL, which commits together by itself what comes over
      // many connections.
      const inserted =
        kind === 'postgresql' ? await insertEntry(db, kind, row) : await write((trx) => insertEntry(trx, kind, row));
      // When its content was forgotten meanwhile, the debate ends with what it has, and nothing of it is kept.
      return inserted ? entry : ((await find(debate, entry.key, entry.inputHash)) ?? entry);
    },
    keepCalls: keepTogether(async (batch) => {
      await write(async (trx) => {
        for (const [debate, place, calls] of batch) await keepCalls(trx, kind, debate, place, calls);
      });
    }),
  };
}

type KeepCalls = NonNullable<Journal['keepCalls']>;

/** So long it is waited for the calls of other turns: a transaction for each would take longer than its work. */
const togetherMs = 5;

function keepTogether(keep: (batch: readonly Parameters<KeepCalls>[]) => Promise<void>): KeepCalls {
  let batch: Parameters<KeepCalls>[] = [];
  let kept: Promise<void> | null = null;
  return (...call) => {
    batch.push(call);
    kept ??= pause(togetherMs).then(() => {
      const all = batch;
      batch = [];
      kept = null;
      return keep(all);
    });
    return kept;
  };
}

interface NewEntry {
  debate: string;
  key: string;
  inputHash: string;
  version: number;
  entry: string;
  createdAt: string;
}

/** Inserts an entry unless one stands in its place, or what it is about was forgotten. */
export async function insertEntry(db: Db, kind: Kind, entry: NewEntry): Promise<boolean> {
  const { rows } = await insertStatements[kind](db, entry);
  return rows.length > 0;
}

// PostgreSQL: whoever forgets this debate at the same moment waits for us, or we for them.
const insertStatements = { sqlite: makeInsert(sql``), postgresql: makeInsert(sql`for share`) };

function makeInsert(lock: RawBuilder<unknown>) {
  return fixedQuery((db, { debate, key, inputHash, version, entry, createdAt }: NewEntry) => ({
    compile: () =>
      sql`
      with about as (select forgotten_at from debates where id = ${debate} ${lock})
      insert into entries (debate, key, input_hash, version, entry, created_at)
      select ${debate}, ${key}, ${inputHash}, cast(${version} as integer), ${entry}, ${createdAt}
      where not exists (select 1 from about where forgotten_at is not null)
      on conflict (debate, key, input_hash) do nothing
      returning id`.compile(db),
  }));
}
