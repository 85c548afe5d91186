import { sql } from 'kysely';
import { sha256 } from '@agonhq/engine/hash';
import type { Db, Trx } from '../database/database.ts';

/* pgvector: one column for vectors of every model, and for each model an index of its own over its own length. */

const searched = 200;
/** Longer vectors have no index in pgvector, and are compared one by one. */
const longestIndexed = 2_000;

/** Makes what the index is built on, where the server has the extension; says whether it does. */
export async function prepareVectors(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'vector'`.execute(db);
  if (rows.length === 0 && !(await installExtension(db))) return false;
  const column = await sql`select 1 from information_schema.columns 
      where table_schema = current_schema() and table_name = 'precedent_vectors' and column_name = 'embedding'`.execute(
    db,
  );
  // Only where it is missing: the statement waits for everybody who uses the table.
  if (column.rows.length === 0)
    await sql`alter table precedent_vectors add column if not exists embedding vector`.execute(db);
  return true;
}

async function installExtension(db: Db): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select current_setting('is_superuser') = 'on' or ((trusted or not superuser)
      and has_database_privilege(current_database(), 'create')) as allowed
    from pg_available_extension_versions where name = 'vector' order by version desc limit 1`.execute(db);
  if (!rows[0]?.allowed) return false;
  await sql`create extension if not exists vector`.execute(db);
  return true;
}

/**
 * The index of a model, made before its first vectors. Only where it is missing, and by one process at a time: even a
 * statement that finds it there waits for all who write vectors, and two who have written some would wait for each
 * other.
 */
export async function indexVectors(trx: Trx, model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void> {
  const dimensions = vectors.values().next().value?.length;
  if (dimensions === undefined || dimensions > longestIndexed) return;
  const name = `precedent_vectors_${sha256(`${model} ${dimensions}`).slice(7, 23)}`;
  const { rows } =
    await sql`select 1 from pg_indexes where schemaname = current_schema() and indexname = ${name}`.execute(trx);
  if (rows.length > 0) return;
  await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx);
  await sql`
    create index if not exists ${sql.id(name)}
    on precedent_vectors using hnsw ((embedding::${vectorType(dimensions)}) vector_cosine_ops)
      where ${isOfModel(model, dimensions)}`.execute(trx);
}

/** The nearest precedents of the library: the active ones, and seeds, over which no row stands. */
export async function findNearestByIndex(
  db: Db,
  model: string,
  wanted: Float32Array,
  limit: number,
): Promise<{ id: string; similarity: number }[]> {
  return db.transaction().execute(async (trx) => {
    await sql`select set_config('hnsw.ef_search', ${String(Math.min(1000, Math.max(searched, limit)))}, true)`.execute(
      trx,
    );
    // Retired ones are passed over: the search goes on until there are enough.
    await sql`select set_config('hnsw.iterative_scan', 'strict_order', true)`.execute(trx);
    const type = vectorType(wanted.length);
    const distance = sql`(embedding::${type} <=> ${formatVector(wanted)}::${type})`;
    const { rows } = await sql<{ id: string; similarity: number }>`
      select precedent_vectors.precedent as id, 1 - ${distance} as similarity
      from precedent_vectors left join precedents on precedents.id = precedent_vectors.precedent
      where ${isOfModel(model, wanted.length)} and (precedents.id is null or precedents.state = 'active')
      order by ${distance} limit ${sql.lit(limit)}`.execute(trx);
    return rows;
  });
}

/** In the words of the index itself, or the planner would not know that they are the same. */
function isOfModel(model: string, dimensions: number) {
  return sql`model = ${sql.lit(model)} and vector_dims(embedding) = ${sql.lit(dimensions)}`;
}

function vectorType(dimensions: number) {
  return sql.raw(`vector(${Math.trunc(dimensions)})`);
}

/** A vector in pgvector's own words; null when it is none. */
export function formatVector(vector: Float32Array): string | null {
  return vector.every(Number.isFinite) ? `[${vector.join(',')}]` : null;
}
