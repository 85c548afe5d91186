import { setTimeout as pause } from 'node:timers/promises';
import { sql, type RawBuilder } from 'kysely';
import type { Journal } from '@agonhq/engine/debate';
import { keepCalls, type TurnCalls } from '../calls/call-store.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
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

export function journalStore(database: Database): Journal {
  const { db, kind, write } = database;
  const keepTurn = keepTogether(database);
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
    async insert(debate, entry, calls = []) {
      const row = {
        debate,
        key: entry.key,
        inputHash: entry.inputHash,
        version: storedVersion,
        entry: toStored(entry),
        createdAt: new Date().toISOString(),
      };
      const inserted = calls.length > 0 ? await keepTurn({ debate, place: entry, row, calls }) : await insertAlone(row);
      // When its content was forgotten meanwhile, the debate ends with what it has, and nothing of it is kept.
      return inserted ? entry : ((await find(debate, entry.key, entry.inputHash)) ?? entry);
    },
    async keepCalls(debate, place, calls) {
      await keepTurn({ debate, place, calls });
    },
  };

  // One statement is a transaction of its own on PostgreSQL, which commits together by itself what comes over many
  // connections.
  async function insertAlone(row: NewEntry): Promise<boolean> {
    return kind === 'postgresql' ? insertEntry(db, kind, row) : write((trx) => insertEntry(trx, kind, row));
  }
}

/** A turn with what was sent and said for it; without a row, only that. */
interface KeptTurn extends TurnCalls {
  row?: NewEntry;
}

/** So long it is waited for other turns: a transaction for each would take longer than its work. */
const togetherMs = 5;

/**
 * Keeps turns that come at about the same time in one transaction; each is told whether its entry was inserted, and one
 * that cannot be kept takes no other with it.
 */
function keepTogether({ kind, write }: Database): (turn: KeptTurn) => Promise<boolean> {
  let waiting: KeptTurn[] = [];
  let together: Promise<ReadonlyMap<KeptTurn, boolean>> | null = null;

  async function keepWaiting(): Promise<ReadonlyMap<KeptTurn, boolean>> {
    await pause(togetherMs);
    const turns = waiting;
    waiting = [];
    together = null;
    return keep(turns);
  }

  async function keep(turns: readonly KeptTurn[]): Promise<ReadonlyMap<KeptTurn, boolean>> {
    // In the same order in every process, so that no two wait for each other.
    const inOrder = turns.toSorted(
      (a, b) => a.debate.localeCompare(b.debate) || a.place.key.localeCompare(b.place.key),
    );
    return write(async (trx) => {
      // Nobody forgets a debate from here to the end of the transaction.
      const forgotten = await keepCalls(trx, kind, inOrder);
      const rows = inOrder.flatMap(({ debate, row }) => (row && !forgotten.has(debate) ? [row] : []));
      const inserted = new Set(await insertEntries(trx, rows));
      // Of two with one place the first was inserted.
      return new Map(inOrder.map((turn) => [turn, turn.row !== undefined && inserted.delete(placeOf(turn.row))]));
    });
  }

  return async (turn) => {
    waiting.push(turn);
    const kept = await (together ??= keepWaiting()).catch(() => keep([turn]));
    return kept.get(turn)!;
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

const placeOf = ({ debate, key, inputHash }: Pick<NewEntry, 'debate' | 'key' | 'inputHash'>) =>
  JSON.stringify([debate, key, inputHash]);

/** Inserts an entry unless one stands in its place, or what it is about was forgotten. */
export async function insertEntry(db: Db, kind: Kind, entry: NewEntry): Promise<boolean> {
  const { rows } = await insertStatements[kind](db, entry);
  return rows.length > 0;
}

/** The same for several whose debates cannot be forgotten meanwhile; answers the places of those that were inserted. */
async function insertEntries(trx: Trx, entries: readonly NewEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const inserted = await trx
    .insertInto('entries')
    .values(
      entries.map(({ inputHash, createdAt, ...entry }) => ({ ...entry, input_hash: inputHash, created_at: createdAt })),
    )
    .onConflict((conflict) => conflict.columns(['debate', 'key', 'input_hash']).doNothing())
    .returning(['debate', 'key', 'input_hash as inputHash'])
    .execute();
  return inserted.map(placeOf);
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
