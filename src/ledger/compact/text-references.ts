import { sql, type RawBuilder } from 'kysely';
import type { Kind, Trx } from '../database/database.ts';
import { readHash } from './compact-row.ts';

/** The cases of a single row about a content, by id, as a subquery. */
export function selectCasesAbout(kind: Kind, subject: string): RawBuilder<string> {
  const hash = readHash(subject);
  return kind === 'postgresql'
    ? sql<string>`(select unnest(string_to_array(cases, ' ')) from texts where hash = ${hash})`
    : sql<string>`(select one.value from texts, json_each('["' || replace(texts.cases, ' ', '","') || '"]') as one
        where texts.hash = ${hash})`;
}

/** Takes a case's reference off its text, and the text with the last of them. */
export async function dropReference(
  trx: Trx,
  { id, subject, day }: { id: string; subject: Uint8Array; day: number },
): Promise<void> {
  await sql`update texts set cases = trim(replace(' ' || cases || ' ', ${` ${id} `}, ' '))
    where hash = ${subject} and day = ${day}`.execute(trx);
  await sql`delete from texts where hash = ${subject} and day = ${day} and cases = ''`.execute(trx);
}
