import { encodeHex } from '@agonhq/engine/container';
import { sql } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { fixedQuery } from '../database/fixed-query.ts';
import { writeArray } from '../postgres/array-text.ts';
import { copyRows } from '../postgres/copy-rows.ts';
import type { TextCases, Texts } from '../tables/tables.ts';
import { cutKey, keyBytes, referBy } from './text-references.ts';

/*
 * The cases of a text stand with it, about thirty of them: nearly every text has one. More of them have rows of their
 * own, since a list that grows is written anew each time.
 */

/** In letters, from which on nothing is added to a list. */
const longestList = 640;

/** A case, and what it is about. */
export interface Reference extends Pick<Texts, 'hash' | 'day' | 'data'> {
  id: string;
}

/** A text with those of a batch who are about it. */
interface ReferredText extends Pick<Texts, 'hash' | 'day' | 'data'> {
  /** The beginning of its hash, in letters. */
  key: string;
  ids: string[];
}

/** Refers to texts from one case each; says which of these cases now have their text as it was given. */
export async function referToTexts(trx: Trx, kind: Kind, references: readonly Reference[]): Promise<Set<string>> {
  // Whoever writes the same texts at the same moment takes them in the same order.
  const texts = gatherTexts(references).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  return kind === 'postgresql' ? copyTexts(trx, texts) : insertTexts(trx, texts);
}

/** Of texts whose hashes begin alike only the first is referred to. */
function gatherTexts(references: readonly Reference[]): ReferredText[] {
  const texts = new Map<string, ReferredText>();
  for (const { id, ...text } of references) {
    const key = encodeHex(cutKey(text.hash));
    const known = texts.get(key);
    if (!known) texts.set(key, { key, ...text, ids: [id] });
    else if (isSame(known, text)) known.ids.push(id);
  }
  return [...texts.values()];
}

const isSame = (one: Pick<Texts, 'hash' | 'data'>, other: Pick<Texts, 'hash' | 'data'>): boolean =>
  Buffer.compare(one.hash, other.hash) === 0 && Buffer.compare(one.data, other.data) === 0;

/** Which cases have a place in a list that is so long already, as they stand there, and which have not. */
function divideCases(ids: readonly string[], length: number): { cases: string; more: readonly string[] } {
  let count = 0;
  for (let end = length; count < ids.length && end < longestList; count += 1) end += ids[count]!.length + 1;
  return { cases: ids.slice(0, count).join(' '), more: ids.slice(count) };
}

async function insertTexts(trx: Trx, texts: readonly ReferredText[]): Promise<Set<string>> {
  const referring = new Set<string>();
  for (const { hash, day, data, ids } of texts) {
    let { cases, more } = divideCases(ids, 0);
    if ((await insertText(trx, { hash, day, cases, data })).rows.length === 0) {
      const { rows } = await findText(trx, { hash, day });
      if (!isSame({ hash, data: rows[0]!.data }, { hash, data })) continue;
      ({ cases, more } = divideCases(ids, rows[0]!.length));
      if (cases !== '') await addToList(trx, { hash, day, cases });
    }
    for (const id of more) await insertReference(trx, { day, hash, id });
    for (const id of ids) referring.add(id);
  }
  return referring;
}

const insertText = fixedQuery((db, text: Texts) =>
  db
    .insertInto('texts')
    .values(text)
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash'),
);

const findText = fixedQuery((db, { hash, day }: Pick<Texts, 'hash' | 'day'>) =>
  db
    .selectFrom('texts')
    .select(['data', sql<number>`length(cases)`.as('length')])
    .where('hash', '=', hash)
    .where('day', '=', day),
);

const addToList = fixedQuery((db, { hash, day, cases }: Pick<Texts, 'hash' | 'day' | 'cases'>) =>
  db
    .updateTable('texts')
    .set({ cases: sql<string>`ltrim(cases || ' ' || ${cases})` })
    .where('hash', '=', hash)
    .where('day', '=', day),
);

const insertReference = fixedQuery((db, reference: TextCases) =>
  db
    .insertInto('text_cases')
    .values(reference)
    .onConflict((conflict) => conflict.doNothing()),
);

const textColumns = { hash: 'bytea', day: 'integer', cases: 'text', data: 'bytea' } as const;
const referenceColumns = { day: 'integer', hash: 'bytea', id: 'text' } as const;

/** Most are new: those that are there get more references, and the others are copied. */
async function copyTexts(trx: Trx, texts: readonly ReferredText[]): Promise<Set<string>> {
  const { day } = texts[0]!;
  const { rows } = await lockTexts(trx, { keys: writeArray(texts.map(({ hash }) => cutKey(hash))), day });
  const there = new Map(rows.map((text) => [encodeHex(cutKey(text.hash)), text]));
  const divided = texts.flatMap((text) => {
    const known = there.get(text.key);
    if (known && !isSame(known, text)) return [];
    return [{ ...text, isNew: !known, ...divideCases(text.ids, known?.length ?? 0) }];
  });
  await copyRows(
    trx,
    'texts',
    textColumns,
    divided.filter(({ isNew }) => isNew),
  );
  const known = divided.filter(({ isNew, cases }) => !isNew && cases !== '');
  if (known.length > 0)
    await addToLists(trx, {
      hashes: writeArray(known.map(({ hash }) => hash)),
      cases: writeArray(known.map(({ cases }) => cases)),
      day,
    });
  const more = divided.flatMap(({ hash, more: ids }) =>
    ids.map((id) => ({ day, hash: referBy('postgresql', hash), id })),
  );
  await copyRows(trx, 'text_cases', referenceColumns, more);
  return new Set(divided.flatMap(({ ids }) => ids));
}

/** Others may refer to them meanwhile; nobody takes one away. */
const lockTexts = fixedQuery((db, { keys, day }: { keys: string; day: number }) => ({
  compile: () =>
    sql<Pick<Texts, 'hash' | 'data'> & { length: number }>`select hash, data, length(cases) as length from texts
      where substr(hash, 1, ${sql.lit(keyBytes)}) = any(cast(${keys} as bytea[])) and day = ${day}
      for key share`.compile(db),
}));

const addToLists = fixedQuery((db, { hashes, cases, day }: { hashes: string; cases: string; day: number }) => ({
  compile: () =>
    sql`update texts set cases = ltrim(texts.cases || ' ' || more.cases)
      from unnest(cast(${hashes} as bytea[]), cast(${cases} as text[])) as more (hash, cases)
      where substr(texts.hash, 1, ${sql.lit(keyBytes)}) = substr(more.hash, 1, ${sql.lit(keyBytes)})
        and texts.hash = more.hash and texts.day = ${day}`.compile(db),
}));
