import { sql } from 'kysely';
import { defaultQueue, never } from '../cases/listing.ts';
import type { Kind, Trx } from '../database/database.ts';
import { fixedQuery, oneOf } from '../database/fixed-query.ts';
import { writeArray } from '../postgres/array-text.ts';
import type { Listing, Texts } from '../tables/tables.ts';

/* Rows of cases that are one row each, many in one statement: on a server each is a way there and back. */

export type CompactListing = Omit<
  Listing,
  'decided' | 'channel' | 'shadow' | 'stage' | 'queue' | 'due_at' | 'sampled' | 'assigned'
>;

/** It waits in no queue; on a server, where rows are many, nothing says so. */
const same = { decided: 0, shadow: 0, sampled: 0, queue: defaultQueue, due_at: never };

const columns = {
  opened_at: 'text',
  id: 'text',
  job: 'text',
  run: 'text',
  label: 'text',
  escalate: 'integer',
  degraded: 'integer',
  modality: 'text',
  confidence: 'float8',
  disagreement: 'float8',
  models: 'text',
  categories: 'text',
  clauses: 'text',
  language: 'text',
  pairs_1: 'bigint',
  pairs_2: 'bigint',
  pairs_3: 'bigint',
  pairs_4: 'bigint',
  search: 'text',
  score: 'float8',
  probability: 'float8',
  cost_usd: 'float8',
  latency_ms: 'float8',
  action: 'text',
  severity: 'text',
  urgency: 'float8',
  setup: 'integer',
  template: 'integer',
  subject: 'bytea',
  packed: 'bytea',
} as const satisfies Record<keyof CompactListing, string>;

const names = Object.keys(columns) as (keyof CompactListing)[];

const insertMany = fixedQuery((db, values: Record<keyof CompactListing, string>) => ({
  compile: () =>
    sql<{ id: string }>`insert into listing (${sql.join(names.map((name) => sql.ref(name)))},
      decided, shadow, sampled, queue, due_at)
      select *, ${sql.lit(same.decided)}, ${sql.lit(same.shadow)}, ${sql.lit(same.sampled)},
        null, null
      from unnest(${sql.join(names.map((name) => sql`cast(${values[name]} as ${sql.raw(columns[name])}[])`))})
      on conflict do nothing returning id`.compile(db),
}));

const insertOne = fixedQuery((db, row: CompactListing) =>
  db
    .insertInto('listing')
    .values({ ...row, ...same, channel: null, stage: null, assigned: null })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id'),
);

/** Says which of them were not there. */
export async function insertRows(trx: Trx, kind: Kind, rows: readonly CompactListing[]): Promise<Set<string>> {
  if (kind === 'postgresql') {
    const values = Object.fromEntries(names.map((name) => [name, writeArray(rows.map((row) => row[name]))]));
    const inserted = await insertMany(trx, values as Record<keyof CompactListing, string>);
    return new Set(inserted.rows.map(({ id }) => id));
  }
  const ids = new Set<string>();
  for (const row of rows) for (const { id } of (await insertOne(trx, row)).rows) ids.add(id);
  return ids;
}

type NewText = Texts;

/** Within a space on either side no id is the beginning of another. */
const refers = sql<boolean>`(' ' || texts.cases || ' ') like ('% ' || excluded.cases || ' %')`;

const upsertTexts = fixedQuery((db, values: Record<keyof NewText, string>) => ({
  compile: () =>
    sql<{ hash: Uint8Array }>`insert into texts (hash, day, cases, data)
      select * from unnest(cast(${values.hash} as bytea[]), cast(${values.day} as integer[]),
        cast(${values.cases} as text[]), cast(${values.data} as bytea[]))
      on conflict (hash, day) do update
        set cases = case when ${refers} then texts.cases else texts.cases || ' ' || excluded.cases end
        where texts.data = excluded.data
      returning hash`.compile(db),
}));

const upsertText = fixedQuery((db, text: NewText) => ({
  compile: () =>
    sql<{ hash: Uint8Array }>`insert into texts (hash, day, cases, data)
      values (${text.hash}, ${text.day}, ${text.cases}, ${text.data})
      on conflict (hash, day) do update
        set cases = case when ${refers} then texts.cases else texts.cases || ' ' || excluded.cases end
        where texts.data = excluded.data
      returning hash`.compile(db),
}));

/** Refers to texts from cases; says which are there as they were given, by their hashes in hexadecimal digits. */
export async function referToTexts(trx: Trx, kind: Kind, texts: readonly NewText[]): Promise<Set<string>> {
  const found = new Set<string>();
  const add = (rows: readonly { hash: Uint8Array }[]) => {
    for (const { hash } of rows) found.add(Buffer.from(hash).toString('hex'));
  };
  // Whoever writes the same texts at the same moment takes them in the same order.
  const ordered = texts.toSorted((a, b) => Buffer.compare(a.hash, b.hash));
  if (kind === 'postgresql') {
    const list = (name: keyof NewText) => writeArray(ordered.map((text) => text[name]));
    add(
      (await upsertTexts(trx, { hash: list('hash'), day: list('day'), cases: list('cases'), data: list('data') })).rows,
    );
  } else for (const text of ordered) add((await upsertText(trx, text)).rows);
  return found;
}

/** Cases that are there already, in whatever form. */
export async function findPresent(trx: Trx, kind: Kind, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from debates where ${oneOf(kind, 'id', ids)}
    union select id from listing where ${oneOf(kind, 'id', ids)}`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
