import { sql } from 'kysely';
import { modelCallSchema, type ModelCall, type TurnPlace } from '@agonhq/engine/debate';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { insertNew } from '../database/fixed-query.ts';
import { fromStored, storedVersion, toStored } from '../database/stored-json.ts';
import { compressText, expandText, listReferences, packValue, unpackValue } from './pack-call.ts';

/** What was sent to models for the turns of a debate, and what came back. */
export interface Calls {
  /** In the order in which they were made; of one turn, or of all. */
  listCalls(debate: string, key?: string): Promise<readonly KeptCall[]>;
}

export interface KeptCall extends TurnPlace {
  keptAt: Date;
  call: ModelCall;
}

export function callStore({ db }: Database): Calls {
  return {
    async listCalls(debate, key) {
      let query = db
        .selectFrom('calls')
        .selectAll()
        .where('debate', '=', debate)
        .orderBy('kept_at')
        .orderBy('key')
        .orderBy('input_hash')
        .orderBy('position');
      if (key !== undefined) query = query.where('key', '=', key);
      const rows = await query.execute();
      const packed = rows.map(({ version, call }) => fromStored('call', version, call));
      const texts = await findTexts(db, [...new Set(packed.flatMap(listReferences))]);
      return rows.map((row, index) => ({
        key: row.key,
        inputHash: row.input_hash,
        keptAt: new Date(row.kept_at),
        call: modelCallSchema.parse(unpackValue(packed[index], (hash) => texts.get(hash) ?? '')),
      }));
    },
  };
}

/** As much as one statement takes. */
function inSlices<Each>(all: readonly Each[]): Each[][] {
  const size = 500;
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}

async function findTexts(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const some of inSlices(hashes)) {
    const rows = await db.selectFrom('call_texts').selectAll().where('hash', 'in', some).execute();
    for (const { hash, data } of rows) texts.set(hash, expandText(data, hash));
  }
  return texts;
}

/** What was sent and said for one turn. */
export interface TurnCalls {
  debate: string;
  place: TurnPlace;
  calls: readonly ModelCall[];
}

/**
 * Keeps the calls of turns, behind those that were made for them before. None of a debate that was forgotten: those
 * are what it answers, and no other one is forgotten before the transaction ends.
 */
export async function keepCalls(trx: Trx, kind: Kind, turns: readonly TurnCalls[]): Promise<ReadonlySet<string>> {
  await lockCalls(trx, kind, 'shared');
  const debates = [...new Set(turns.map(({ debate }) => debate))];
  const gone = await trx
    .selectFrom('debates')
    .select('id')
    .where('id', 'in', debates)
    .where('forgotten_at', 'is not', null)
    .execute();
  const forgotten = new Set(gone.map(({ id }) => id));
  const next = await findPositions(trx, debates);
  const texts = new Map<string, string>();
  const parts = new Map<string, { debate: string; hash: string }>();
  const kept_at = new Date().toISOString();
  const rows = turns.flatMap(({ debate, place: { key, inputHash }, calls }) => {
    if (forgotten.has(debate)) return [];
    const place = JSON.stringify([debate, key, inputHash]);
    return calls.map((call) => {
      const packed = packValue(call, (hash, text) => {
        texts.set(hash, text);
        parts.set(`${debate} ${hash}`, { debate, hash });
      });
      const position = next.get(place) ?? 0;
      next.set(place, position + 1);
      const stored = toStored(packed);
      return { debate, key, input_hash: inputHash, position, version: storedVersion, call: stored, kept_at };
    });
  });
  await keepTexts(trx, texts);
  for (const some of inSlices([...parts.values()])) await insertNew(trx.insertInto('call_parts').values(some));
  for (const some of inSlices(rows)) await insertNew(trx.insertInto('calls').values(some));
  return forgotten;
}

/** The next free position of each place that has calls. */
async function findPositions(trx: Trx, debates: readonly string[]): Promise<Map<string, number>> {
  const rows = await trx
    .selectFrom('calls')
    .select(({ fn }) => ['debate', 'key', 'input_hash', fn.max('position').as('last')])
    .where('debate', 'in', debates)
    .groupBy(['debate', 'key', 'input_hash'])
    .execute();
  return new Map(
    rows.map(({ debate, key, input_hash, last }) => [JSON.stringify([debate, key, input_hash]), last + 1]),
  );
}

/** Adds the texts that are not there yet, in one order, so that no two writers wait for each other. */
async function keepTexts(trx: Trx, texts: ReadonlyMap<string, string>): Promise<void> {
  const known = new Set<string>();
  for (const some of inSlices([...texts.keys()])) {
    const rows = await trx.selectFrom('call_texts').select('hash').where('hash', 'in', some).execute();
    for (const { hash } of rows) known.add(hash);
  }
  const added = [...texts.keys()].filter((hash) => !known.has(hash)).toSorted();
  for (const some of inSlices(added))
    await insertNew(
      trx.insertInto('call_texts').values(some.map((hash) => ({ hash, data: compressText(texts.get(hash)!) }))),
    );
}

/** Takes away what was sent and said in a debate, and the texts that no other one needs. */
export async function dropCalls(trx: Trx, kind: Kind, debate: string): Promise<void> {
  await lockCalls(trx, kind, 'alone');
  await trx.deleteFrom('calls').where('debate', '=', debate).execute();
  const parts = await trx.deleteFrom('call_parts').where('debate', '=', debate).returning('hash').execute();
  for (const some of inSlices(parts.map(({ hash }) => hash)))
    await trx
      .deleteFrom('call_texts')
      .where('hash', 'in', some)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('call_parts').select('debate').whereRef('call_parts.hash', '=', 'call_texts.hash'))),
      )
      .execute();
}

const lockNumber = 220_003;

/**
 * On PostgreSQL, a text must not go with one debate while another comes to need it, and nothing be kept of a debate
 * that is being forgotten; SQLite has one writer at a time.
 */
export async function lockCalls(trx: Trx, kind: Kind, how: 'shared' | 'alone'): Promise<void> {
  if (kind === 'sqlite') return;
  const lock = how === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`;
  await sql`select ${lock}(${sql.lit(lockNumber)})`.execute(trx);
}
