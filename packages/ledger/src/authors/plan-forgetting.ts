import { sql, type RawBuilder } from 'kysely';
import { isAboutOneOf, writeSubject } from '../compact/subjects.ts';
import type { Db, Kind } from '../database/database.ts';

export interface ForgottenAuthor {
  /** Contents that were forgotten, and the cases about them. */
  subjects: number;
  cases: number;
  /** Cases of other authors about the same contents: these stay, and with them what they judged. */
  othersCases: number;
  /** Items of runs that had not been judged yet. */
  items: number;
}

/** Whether an item of a run is of an author; `run_items` is in reach. */
export function isOfAuthor(kind: Kind, author: string): RawBuilder<boolean> {
  return kind === 'sqlite'
    ? sql<boolean>`json_extract(run_items.input, '$.context.author') = ${author}`
    : sql<boolean>`(cast(run_items.input as json) -> 'context' ->> 'author') = ${author}`;
}

/** The cases that an author brought, by id, as a subquery. */
export function selectBrought(author: string): RawBuilder<string> {
  return sql<string>`(select debate from contexts where author = ${author}
    union all select id from listing where author = ${author})`;
}

/** The contents of an author that are not forgotten, as a subquery. */
export function selectOwnSubjects(kind: Kind, author: string): RawBuilder<{ subject: string }> {
  return sql<{ subject: string }>`(
    select debates.subject from contexts join debates on debates.id = contexts.debate
    where contexts.author = ${author} and debates.forgotten_at is null
    union select ${writeSubject(kind)} as subject from listing where author = ${author} and packed is not null)`;
}

/** What forgetting an author would take away. */
export async function planForgetting(db: Db, kind: Kind, author: string): Promise<ForgottenAuthor> {
  const brought = selectBrought(author);
  const { rows } = await sql<Record<keyof ForgottenAuthor, number | string>>`
    with own as ${selectOwnSubjects(kind, author)},
    single as (
      select author, ${writeSubject(kind)} as subject from listing where ${isAboutOneOf(kind, sql`own`)}
    ),
    others as (
      select debates.subject from debates join contexts on contexts.debate = debates.id
      where debates.forgotten_at is null and contexts.author <> ${author}
        and debates.subject in (select subject from own)
      union all select subject from single where author <> ${author}
    ),
    going as (
      select 1 from debates where forgotten_at is null and subject in (select subject from own)
        and (subject not in (select subject from others) or id in ${brought} or again_of in ${brought})
      union all select 1 from single where author = ${author} or subject not in (select subject from others)
    )
    select (select count(*) from own) as subjects, (select count(*) from going) as cases,
      (select count(*) from others) as "othersCases",
      (select count(*) from run_items where input is not null and ${isOfAuthor(kind, author)}) as items`.execute(db);
  const { subjects, cases, othersCases, items } = rows[0]!;
  return {
    subjects: Number(subjects),
    cases: Number(cases),
    othersCases: Number(othersCases),
    items: Number(items),
  };
}
