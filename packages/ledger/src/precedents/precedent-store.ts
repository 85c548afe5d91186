import { setImmediate } from 'node:timers/promises';
import { hashOf } from '@agonhq/engine/hash';
import type { KeptPrecedent, PrecedentStore } from '@agonhq/models/precedents';
import type { Database, Db, Kind, Trx } from '../database/database.ts';
import { insertNew, putRow } from '../database/fixed-query.ts';
import { fromStored, storedVersion, toStorable, toStored } from '../database/stored-json.ts';
import { addLeaves, makeLeaf, type NewLeaf } from '../records/leaves.ts';
import { makeOnce } from '../server/make-once.ts';
import { findNearestByIndex, formatVector, indexVectors } from './vector-index.ts';

const pageSize = 500;
const emptyFingerprint = '0'.repeat(64);

export function precedentStore({ db, kind, write, vectors: indexed }: Database): PrecedentStore {
  return {
    keepPrecedents: (precedents) => write((trx) => replacePrecedents(trx, kind, precedents)),
    keepPrecedentsIf: (version, precedents, once) =>
      write(async (trx) => {
        if (hashOf(await lockFingerprint(trx, kind)) !== version) return null;
        await makeOnce(trx, kind, once, async () => {
          await replacePrecedents(trx, kind, precedents);
          return precedents[0]!.id;
        });
        return hashOf(await lockFingerprint(trx, kind));
      }),
    async findPrecedent(id) {
      const row = await db
        .selectFrom('precedents')
        .select(['version', 'precedent'])
        .where('id', '=', id)
        .executeTakeFirst();
      return row && fromStored('precedent', row.version, row.precedent);
    },
    listPrecedents: (filter = {}) => listPrecedents(db, filter),
    async findKnownIds(ids) {
      const found = new Set<string>();
      for (let at = 0; at < ids.length; at += pageSize) {
        for (const { id } of await db
          .selectFrom('precedents')
          .select('id')
          .where('id', 'in', ids.slice(at, at + pageSize))
          .execute())
          found.add(id);
      }
      return found;
    },
    readVersion: async () => hashOf(await readFingerprint(db)),
    readVectors: (model, ids) => readVectors(db, model, ids),
    async listEmbedded(model) {
      const rows = await db.selectFrom('precedent_vectors').select('precedent').where('model', '=', model).execute();
      return new Set(rows.map(({ precedent }) => precedent));
    },
    async keepVectors(model, vectors) {
      await write(async (trx) => {
        if (indexed) await indexVectors(trx, model, vectors);
        for (const [precedent, vector] of vectors) {
          const data = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
          const row = { data, ...(indexed ? { embedding: formatVector(vector) } : {}) };
          await putRow(trx, 'precedent_vectors', { model, precedent }, row);
        }
      });
    },
    ...(indexed ? { findNearest: (model, wanted, limit) => findNearestByIndex(db, model, wanted, limit) } : {}),
  };
}

async function readVectors(db: Db, model: string, ids?: readonly string[]): Promise<Map<string, Float32Array>> {
  const query = db.selectFrom('precedent_vectors').select(['precedent', 'data']).where('model', '=', model);
  const found = new Map<string, Float32Array>();
  const add = (rows: readonly { precedent: string; data: Uint8Array }[]) => {
    for (const { precedent, data } of rows) found.set(precedent, readVector(data));
  };
  if (!ids) add(await query.execute());
  // A statement takes only so many parameters.
  else
    for (let at = 0; at < ids.length; at += pageSize)
      add(await query.where('precedent', 'in', ids.slice(at, at + pageSize)).execute());
  return found;
}

async function* listPrecedents(
  db: Db,
  { state, category, label, after: from = '', search }: NonNullable<Parameters<PrecedentStore['listPrecedents']>[0]>,
): AsyncGenerator<KeptPrecedent> {
  for (let after = from, more = true; more;) {
    let query = db
      .selectFrom('precedents')
      .select(['id', 'version', 'precedent'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize);
    if (state !== undefined) query = query.where('state', '=', state);
    if (category !== undefined) query = query.where('category', '=', toStorable(category));
    if (label !== undefined) query = query.where('label', '=', label);
    const rows = await query.execute();
    for (const { version, precedent } of rows)
      if (search === undefined || mightContain(precedent, search)) yield fromStored('precedent', version, precedent);
    // SQLite answers at once: others get their turn here.
    await setImmediate();
    more = rows.length === pageSize;
    after = rows.at(-1)?.id ?? after;
  }
}

/** Whether a precedent may hold these letters, without taking it apart. */
function mightContain(json: string, search: string): boolean {
  const plainly = /^[\x20-\x7e]*$/.test(json) ? json : json.normalize('NFKC');
  return plainly.toLowerCase().includes(JSON.stringify(search).slice(1, -1));
}

/** Inserts precedents, or replaces those with the same id. A vector of other words than today's is taken away. */
export async function replacePrecedents(trx: Trx, kind: Kind, precedents: readonly KeptPrecedent[]): Promise<void> {
  if (precedents.length === 0) return;
  let print = await lockFingerprint(trx, kind);
  const leaves: NewLeaf[] = [];
  for (const precedent of precedents) {
    const before = await trx
      .selectFrom('precedents')
      .select(['version', 'precedent', 'hash'])
      .where('id', '=', precedent.id)
      .executeTakeFirst();
    const row = makeRow(precedent);
    if (before?.hash === row.hash) continue;
    const { id, ...rest } = row;
    await putRow(trx, 'precedents', { id }, rest);
    leaves.push(makeLeaf('precedent', row));
    if (before && fromStored('precedent', before.version, before.precedent).text !== precedent.text) {
      await trx.deleteFrom('precedent_vectors').where('precedent', '=', precedent.id).execute();
    }
    print = combineHashes(before ? combineHashes(print, before.hash) : print, row.hash);
  }
  await addLeaves(trx, kind, leaves);
  await keepFingerprint(trx, print);
}

function makeRow(precedent: KeptPrecedent) {
  const { id, label, category, state, provenance } = precedent;
  return {
    id,
    version: storedVersion,
    label,
    category,
    state,
    subject: provenance.subject ?? null,
    precedent: toStored(precedent),
    hash: hashOf(precedent).slice('sha256:'.length),
  };
}

/* The state of the library is the exclusive or of its precedents' hashes: the same precedents give the same name,
   whatever the order they came in, and a change of one costs no look at the others. */

function combineHashes(print: string, hash: string): string {
  return (BigInt(`0x${print}`) ^ BigInt(`0x${hash}`)).toString(16).padStart(64, '0');
}

async function readFingerprint(db: Db): Promise<string> {
  return (
    (await db.selectFrom('meta').select('value').where('key', '=', 'precedents').executeTakeFirst())?.value ??
    emptyFingerprint
  );
}

async function lockFingerprint(trx: Trx, kind: Kind): Promise<string> {
  await insertNew(trx.insertInto('meta').values({ key: 'precedents', value: emptyFingerprint }));
  return (
    await trx
      .selectFrom('meta')
      .select('value')
      .where('key', '=', 'precedents')
      .$if(kind === 'postgresql', (query) => query.forUpdate())
      .executeTakeFirstOrThrow()
  ).value;
}

async function keepFingerprint(trx: Trx, value: string): Promise<void> {
  await trx.updateTable('meta').set({ value }).where('key', '=', 'precedents').execute();
}

/** A copy: what the database hands out need not begin where a float may. */
function readVector(data: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(data).buffer);
}
