import { sql, type RawBuilder } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { readHash } from './compact-row.ts';

/**
 * A text is found by the beginning of its hash. On a server no more of it stands in the listing: of two texts of a day
 * whose hashes begin alike only the first is kept here.
 */
export const keyBytes = 8;

export const cutKey = (hash: Uint8Array): Uint8Array => hash.subarray(0, keyBytes);

/** As its index has it. */
export const readReferenceKey = (bytes: RawBuilder<unknown>): RawBuilder<Uint8Array> =>
  sql<Uint8Array>`substr(${bytes}, 1, ${sql.lit(keyBytes)})`;

/** Whether a row of the texts is the one that a row of the listing refers to. */
export const onText = sql<boolean>`(${readReferenceKey(sql`texts.hash`)} = ${readReferenceKey(sql`listing.subject`)}
  and substr(texts.hash, 1, length(listing.subject)) = listing.subject
  and texts.day = cast(replace(substr(listing.opened_at, 1, 10), '-', '') as integer))`;

/** The hash of a row of the texts as contents are named by it. */
export function writeSubject(kind: Kind): RawBuilder<string> {
  return kind === 'postgresql'
    ? sql<string>`('sha256:' || encode(texts.hash, 'hex')) collate "C"`
    : sql<string>`('sha256:' || lower(hex(texts.hash)))`;
}

/** Of a row of the texts. */
function hasHash(hash: Uint8Array): RawBuilder<boolean> {
  return sql<boolean>`(${readReferenceKey(sql`texts.hash`)} = ${cutKey(hash)} and texts.hash = ${hash})`;
}

/** What refers to a text has of its hash. */
export const referBy = (kind: Kind, hash: Uint8Array): Uint8Array => (kind === 'postgresql' ? cutKey(hash) : hash);

/** Whether a row of the further references is one to a row of the texts. */
function isMoreOf(kind: Kind): RawBuilder<boolean> {
  const hash = kind === 'postgresql' ? readReferenceKey(sql`texts.hash`) : sql`texts.hash`;
  return sql<boolean>`(text_cases.day = texts.day and text_cases.hash = ${hash})`;
}

/** A case that a text refers to, the day that it is of, and what it is about. */
interface FoundReference {
  id: string;
  /** 2026-11-18 */
  date: string;
  subject: string;
}

/** The cases of a single row about contents, as a subquery; `which` says of a row of the texts whether it is one. */
export function selectReferences(kind: Kind, which: RawBuilder<boolean>): RawBuilder<FoundReference> {
  const digits = sql`cast(texts.day as text)`;
  const about = sql`substr(${digits}, 1, 4) || '-' || substr(${digits}, 5, 2) || '-' || substr(${digits}, 7) as date,
    ${writeSubject(kind)} as subject`;
  const listed =
    kind === 'postgresql'
      ? sql`select one.id, ${about} from texts, unnest(string_to_array(texts.cases, ' ')) as one (id)`
      : sql`select one.value as id, ${about}
          from texts, json_each('["' || replace(texts.cases, ' ', '","') || '"]') as one`;
  return sql`(${listed} where ${which}
    union all select text_cases.id, ${about} from texts join text_cases on ${isMoreOf(kind)} where ${which})`;
}

/** Whether a row of the listing is that of a reference, looked for in its day only. */
export const isReferring = sql<boolean>`(listing.id = referring.id and listing.packed is not null
  and listing.opened_at >= referring.date and listing.opened_at < referring.date || 'U')`;

export const isBytes = (subject: string): boolean => /^sha256:[0-9a-f]{64}$/.test(subject);

/** Whether a row of the texts is a content; none is one that is named otherwise. */
export function isContent(subject: string): RawBuilder<boolean> {
  return isBytes(subject) ? hasHash(readHash(subject)) : sql<boolean>`(1 = 0)`;
}

export function selectReferencesTo(kind: Kind, subject: string): RawBuilder<FoundReference> {
  return selectReferences(kind, isContent(subject));
}

/** The same by id alone. */
export function selectCasesAbout(kind: Kind, subject: string): RawBuilder<string> {
  return sql<string>`(select id from ${selectReferencesTo(kind, subject)} as referring)`;
}

/** Takes a case's reference off its text, and the text with the last of them. */
export async function dropReference(
  trx: Trx,
  kind: Kind,
  { id, subject, day }: { id: string; subject: Uint8Array; day: number },
): Promise<void> {
  const isIt = sql<boolean>`(${hasHash(subject)} and day = ${day})`;
  // Who refers to it now waits until it is gone, or was there before.
  if (kind === 'postgresql') await sql`select 1 from texts where ${isIt} for update`.execute(trx);
  // Each stands between blanks of its own: where one is named twice, both go.
  await sql`update texts set cases = trim(replace(replace(
      ' ' || replace(cases, ' ', '  ') || ' ', ${` ${id} `}, ''), '  ', ' ')) where ${isIt}`.execute(trx);
  await sql`delete from text_cases where day = ${day} and hash = ${referBy(kind, subject)}
    and id = ${id}`.execute(trx);
  await sql`delete from texts where ${isIt} and cases = ''
    and not exists (select 1 from text_cases where ${isMoreOf(kind)})`.execute(trx);
}

/** Takes away a content to which only cases refer that are gone. */
export async function dropUnusedText(trx: Trx, kind: Kind, subject: string): Promise<void> {
  const hash = readHash(subject);
  const isIt = isContent(subject);
  if (kind === 'postgresql') await sql`select 1 from texts where ${isIt} for update`.execute(trx);
  const { rows } = await sql<{ day: number }>`delete from texts where ${isIt} and not exists (
    select 1 from listing where listing.id in ${selectCasesAbout(kind, subject)} and listing.packed is not null)
    returning day`.execute(trx);
  for (const { day } of rows)
    await sql`delete from text_cases where day = ${day} and hash = ${referBy(kind, hash)}`.execute(trx);
}
