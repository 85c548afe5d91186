import { sql } from 'kysely';
import { modelCallSchema, type ModelCall, type TurnPlace } from '../../debate/index.ts';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
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

const asked = 500;

async function findTexts(db: Db, hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (let start = 0; start < hashes.length; start += asked) {
    const some = hashes.slice(start, start + asked);
    const rows = await db.selectFrom('call_texts').selectAll().where('hash', 'in', some).execute();
    for (const { hash, data } of rows) texts.set(hash, expandText(data, hash));
  }
  return texts;
}

/** Keeps the calls of a turn, behind those that were made for it before; none of a debate that was forgotten. */
export async function keepCalls(
  trx: Trx,
  kind: Kind,
  debate: string,
  { key, inputHash }: TurnPlace,
  calls: readonly ModelCall[],
): Promise<void> {
  await lockTexts(trx, kind, 'shared');
  const {
    rows: [about],
  } = await findForgotten(trx, { debate });
  if (about && about.forgotten_at !== null) return;
  const texts = new Map<string, string>();
  const packed = calls.map((call) => packValue(call, (hash, text) => texts.set(hash, text)));
  const {
    rows: [before],
  } = await findLast(trx, { debate, key, inputHash });
  await keepTexts(trx, debate, texts);
  const first = (before?.position ?? -1) + 1;
  const kept_at = new Date().toISOString();
  await trx
    .insertInto('calls')
    .values(
      packed.map((call, index) => ({
        debate,
        key,
        input_hash: inputHash,
        position: first + index,
        version: storedVersion,
        call: toStored(call),
        kept_at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const findForgotten = fixedQuery((db, { debate }: { debate: string }) =>
  db.selectFrom('debates').select('forgotten_at').where('id', '=', debate),
);

const findLast = fixedQuery((db, { debate, key, inputHash }: TurnPlace & { debate: string }) =>
  db
    .selectFrom('calls')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('debate', '=', debate)
    .where('key', '=', key)
    .where('input_hash', '=', inputHash),
);

/** Texts that are not there yet, and that this debate needs them. */
async function keepTexts(trx: Trx, debate: string, texts: ReadonlyMap<string, string>): Promise<void> {
  if (texts.size === 0) return;
  const known = await trx
    .selectFrom('call_texts')
    .select('hash')
    .where('hash', 'in', [...texts.keys()])
    .execute();
  const isKnown = new Set(known.map(({ hash }) => hash));
  const added = [...texts].filter(([hash]) => !isKnown.has(hash));
  if (added.length > 0)
    await trx
      .insertInto('call_texts')
      .values(added.map(([hash, text]) => ({ hash, data: compressText(text) })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  await trx
    .insertInto('call_parts')
    .values([...texts.keys()].map((hash) => ({ debate, hash })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Takes away what was sent and said in a debate, and the texts that no other one needs. */
export async function dropCalls(trx: Trx, kind: Kind, debate: string): Promise<void> {
  await lockTexts(trx, kind, 'alone');
  await trx.deleteFrom('calls').where('debate', '=', debate).execute();
  const parts = await trx.deleteFrom('call_parts').where('debate', '=', debate).returning('hash').execute();
  for (let start = 0; start < parts.length; start += asked)
    await trx
      .deleteFrom('call_texts')
      .where(
        'hash',
        'in',
        parts.slice(start, start + asked).map(({ hash }) => hash),
      )
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('call_parts').select('debate').whereRef('call_parts.hash', '=', 'call_texts.hash'))),
      )
      .execute();
}

/** Texts that came with an import, of debates that were forgotten here. */
export async function deleteUnusedTexts(trx: Trx): Promise<void> {
  await trx
    .deleteFrom('call_texts')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('call_parts').select('debate').whereRef('call_parts.hash', '=', 'call_texts.hash'))),
    )
    .execute();
}

const lockNumber = 220_003;

/** On PostgreSQL, a text must not go with one debate while another comes to need it; SQLite has one writer at a time. */
async function lockTexts(trx: Trx, kind: Kind, how: 'shared' | 'alone'): Promise<void> {
  if (kind === 'sqlite') return;
  const lock = how === 'shared' ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`;
  await sql`select ${lock}(${sql.lit(lockNumber)})`.execute(trx);
}
