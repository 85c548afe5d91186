import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { readStoredMarks } from '../cases/listing.ts';
import type { Kind } from '../database/database.ts';
import { toStored } from '../database/stored-json.ts';
import type { Tables } from '../tables/tables.ts';

/** Answers are large. */
const atOnce = 200;

/**
 * What is watched over time: clauses, language and channel of a case stand in the listing, rules say what is to be
 * noticed, alerts what was. A candidate judges in the shadow of what is in force, and what it came to are pairs.
 */
export function watchingSchema(kind: Kind): Migration {
  const text = kind === 'sqlite' ? 'text' : 'text collate "C"';
  const real = kind === 'sqlite' ? 'real' : 'double precision';
  const end = kind === 'sqlite' ? 'strict, without rowid' : '';
  const member = (name: string) =>
    kind === 'sqlite'
      ? `json_extract(contexts.context, '$.${name}')`
      : `(cast(contexts.context as jsonb) ->> '${name}')`;
  const statements = [
    `alter table listing add column clauses ${text} not null default '[]'`,
    `alter table listing add column language ${text}`,
    `alter table listing add column channel ${text}`,
    `alter table listing add column shadow integer not null default 0`,
    ...['language', 'channel'].map(
      (name) => `update listing set ${name} = (
        select ${member(name)} from contexts where contexts.debate = listing.id)
        where id in (select debate from contexts)`,
    ),
    `create table watch_rules (
      id ${text} not null primary key, version integer not null, rule ${text} not null, created_by ${text},
      created_at ${text} not null, checked_at ${text}
    ) ${end}`,
    `create table alerts (
      id ${text} not null primary key, version integer not null,
      rule ${text} not null references watch_rules (id) on delete cascade, value ${text} not null,
      finding ${text} not null, raised_at ${text} not null, told_at ${text}, ended_at ${text}, ended_told_at ${text},
      acknowledged_by ${text}, acknowledged_at ${text}, note ${text}
    ) ${end}`,
    `create unique index alerts_standing on alerts (rule, value) where ended_at is null`,
    `create index alerts_by_time on alerts (raised_at, id)`,
    `create table shadows (
      id ${text} not null primary key, version integer not null, candidate ${text} not null, created_by ${text},
      started_at ${text} not null, ended_at ${text}, why ${text}, dropped integer not null, failed integer not null,
      spent_usd ${real} not null
    ) ${end}`,
    `create table shadow_pairs (
      shadow ${text} not null references shadows (id) on delete cascade,
      case_id ${text} not null references debates (id) on delete cascade,
      shadow_case ${text} not null references debates (id) on delete cascade, judged_at ${text} not null,
      primary key (shadow, case_id)
    ) ${end}`,
    `create index shadow_pairs_by_case on shadow_pairs (case_id)`,
    `create index shadow_pairs_by_shadow_case on shadow_pairs (shadow_case)`,
  ];
  return {
    async up(db: Kysely<Tables>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
      await listOlderClauses(db);
    },
  };
}

/** Clauses come from the answer; where it was forgotten, nobody knows them any more. */
async function listOlderClauses(db: Kysely<Tables>): Promise<void> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('verdicts')
      .innerJoin('debates', 'debates.id', 'verdicts.debate')
      .select(['verdicts.debate', 'verdicts.answer', 'debates.opened_at'])
      .where('verdicts.categories', '<>', '[]')
      .where('verdicts.debate', '>', after)
      .orderBy('verdicts.debate')
      .limit(atOnce)
      .execute();
    for (const { debate, answer, opened_at } of rows)
      await db
        .updateTable('listing')
        .set({ clauses: toStored(readStoredMarks(answer).clauses) })
        .where('opened_at', '=', opened_at)
        .where('id', '=', debate)
        .execute();
    if (rows.length < atOnce) return;
    after = rows.at(-1)!.debate;
  }
}
