import { sql, type RawBuilder } from 'kysely';
import type { Kind } from '../database/database.ts';

/* What cases of a single row are about: the hash of the content is a column of theirs, and the content is packed. */

export const isHash = (subject: string): boolean => /^sha256:[0-9a-f]{64}$/.test(subject);

export const readHash = (text: string): Uint8Array => Buffer.from(text.slice(7), 'hex');

export function writeHash(bytes: Uint8Array): string {
  return `sha256:${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

/** So much of a hash is in the index: with the byte that says its length it takes as much room as a number. */
const keyBytes = 7;

export const cutKey = (hash: Uint8Array): Uint8Array => hash.subarray(0, keyBytes);

/** As the index of the listing has it. */
export const readKey = (bytes: RawBuilder<unknown>): RawBuilder<Uint8Array> =>
  sql<Uint8Array>`substr(${bytes}, 1, ${sql.lit(keyBytes)})`;

/** Whether a row of the listing is about a content; none is about one that is named otherwise. */
export function isAbout(subject: string): RawBuilder<boolean> {
  if (!isHash(subject)) return sql<boolean>`(1 = 0)`;
  const hash = readHash(subject);
  return sql<boolean>`(${readKey(sql`listing.subject`)} = ${cutKey(hash)} and listing.subject = ${hash})`;
}

/** Whether a row of the listing is about one of the contents that a query names. */
export function isAboutOneOf(kind: Kind, subjects: RawBuilder<unknown>): RawBuilder<boolean> {
  const bytes = kind === 'sqlite' ? sql`unhex(substr(subject, 8))` : sql`decode(substr(subject, 8), 'hex')`;
  return sql<boolean>`(listing.subject is not null and ${readKey(sql`listing.subject`)} in (
      select ${readKey(bytes)} from ${subjects} as named where subject like 'sha256:%')
    and ${writeSubject(kind)} in (select subject from ${subjects} as named))`;
}

/** The content that a row of the listing is about, as contents are named. */
export function writeSubject(kind: Kind): RawBuilder<string> {
  return kind === 'postgresql'
    ? sql<string>`('sha256:' || encode(listing.subject, 'hex')) collate "C"`
    : sql<string>`('sha256:' || lower(hex(listing.subject)))`;
}
