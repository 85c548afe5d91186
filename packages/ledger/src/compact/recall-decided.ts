import { sql } from 'kysely';
import { sealAnswer, type Answer } from '@agonhq/engine/debate';
import type { Db, Kind } from '../database/database.ts';
import { fromStored, toStored } from '../database/stored-json.ts';
import type { UnrecordedOpening, RecalledCase } from '../cases/cases.ts';
import { findCompact, readCompact, type WholeCase } from './read-compact.ts';
import { isHash, readKey } from './subjects.ts';

/** How long a judgement is looked up instead of given again: on a server a day more is a table more to look into. */
const recalledForMs = 24 * 3_600_000;

/** What was decided lately of the same cases, or of their texts with another context; in the order of the cases. */
export async function recallDecided(
  db: Db,
  kind: Kind,
  cases: readonly UnrecordedOpening[],
): Promise<(RecalledCase | null)[]> {
  const since = new Date(Date.now() - recalledForMs).toISOString();
  const own = await findCases(db, kind, new Set(cases.map(({ id }) => id)), since);
  const others = cases.filter((opened) => !own.has(opened.id) && isJudgedByText(opened));
  const alike = await findAlike(db, kind, others, since);
  return cases.map((opened) => {
    const found = own.get(opened.id);
    if (found) return { answer: readAnswer(found), isOnRecord: true };
    const other = alike.get(opened);
    return other && isOfSame(other, opened) ? { answer: adopt(readAnswer(other), opened), isOnRecord: false } : null;
  });
}

async function findCases(
  db: Db,
  kind: Kind,
  ids: ReadonlySet<string>,
  since: string,
): Promise<ReadonlyMap<string, WholeCase>> {
  const rows = ids.size === 0 ? [] : await findCompact(db, kind, [...ids], since);
  return new Map(rows.map((row) => [row.id, readCompact(row)]));
}

/** Whether whoever judges it is shown its text and nothing else: no file, and nothing of its context. */
function isJudgedByText({ job, settings, subject }: UnrecordedOpening): boolean {
  const { context } = (settings as Record<string, { context?: readonly string[] } | undefined>)[job] ?? {};
  return isHash(subject.hash) && !subject.attachments?.length && !context?.length;
}

const readAnswer = ({ verdict: { version, answer } }: WholeCase): Answer =>
  fromStored('verdict', version, answer) as Answer;

/** For each of them one that was put on record about its text. */
async function findAlike(
  db: Db,
  kind: Kind,
  cases: readonly UnrecordedOpening[],
  since: string,
): Promise<ReadonlyMap<UnrecordedOpening, WholeCase>> {
  if (cases.length === 0) return new Map();
  const sought = JSON.stringify(
    cases.map(({ subject, job, configuration }, place) => ({ place, hash: subject.hash.slice(7), job, configuration })),
  );
  const { list, hash } = {
    sqlite: {
      list: sql`(select value ->> 'place' as place, value ->> 'hash' as hash, value ->> 'job' as job,
        value ->> 'configuration' as configuration from json_each(${sought})) as sought`,
      hash: sql`unhex(sought.hash)`,
    },
    postgresql: {
      list: sql`json_to_recordset(cast(${sought} as json))
        as sought (place integer, hash text, job text, configuration text)`,
      hash: sql`decode(sought.hash, 'hex')`,
    },
  }[kind];
  const { rows } = await sql<{ place: number; id: string | null }>`
    select sought.place, (select listing.id from listing
      where ${readKey(sql`listing.subject`)} = ${readKey(hash)} and listing.subject = ${hash}
        and listing.opened_at >= ${since} and listing.setup in (
          select id from setups where job = sought.job and configuration = sought.configuration)
      limit 1) as id from ${list}`.execute(db);
  const found = await findCases(db, kind, new Set(rows.flatMap(({ id }) => id ?? [])), since);
  return new Map(
    rows.flatMap(({ place, id }) => {
      const whole = id === null ? undefined : found.get(id);
      return whole ? [[cases[place]!, whole]] : [];
    }),
  );
}

/** Models, prompts and policy are in the configuration; the content says all else that was judged, and its name. */
function isOfSame({ subject: { content } }: WholeCase, { subject }: UnrecordedOpening): boolean {
  return toStored(unnamed(JSON.parse(content))) === toStored(unnamed(subject.content));
}

/** A content without what whoever brought it calls it. */
function unnamed(content: unknown): unknown {
  const { id: _, ...rest } = content as { id?: unknown };
  return rest;
}

/** The same judgement as that of another case. */
function adopt(answer: Answer, { id, context, subject: { content } }: UnrecordedOpening): Answer {
  const { seal: _, subject, ...rest } = answer as Answer & { subject: { context?: object } };
  const { context: __, ...about } = subject;
  const named = { ...about, id: (content as { id?: string }).id ?? null, ...(context ? { context } : {}) };
  return sealAnswer({ ...rest, id, subject: named });
}
