import { sql } from 'kysely';
import { sealAnswer, type Answer } from '@agonhq/engine/debate';
import type { Db, Kind } from '../database/database.ts';
import { fromStored, toStored } from '../database/stored-json.ts';
import type { UnrecordedOpening, RecalledCase } from '../cases/cases.ts';
import { writeArray } from '../postgres/array-text.ts';
import type { Texts } from '../tables/tables.ts';
import { dayOf, readHash, unpackText, writeHash } from './compact-row.ts';
import { findCompact, readCompact, type CompactRow } from './read-compact.ts';
import { cutKey, isBytes, readReferenceKey } from './text-references.ts';

/** How long a judgement is looked up instead of given again: on a server a day more is a table more to look into. */
const recalledForMs = 24 * 3_600_000;

/** What was decided lately of the same cases, or of their texts with another context; in the order of the cases. */
export async function recallDecided(
  db: Db,
  kind: Kind,
  cases: readonly UnrecordedOpening[],
): Promise<(RecalledCase | null)[]> {
  const since = new Date(Date.now() - recalledForMs).toISOString();
  const ids = new Set(cases.map(({ id }) => id));
  const own = new Map((await findCompact(db, kind, [...ids], since)).map((row) => [row.id, row]));
  const others = cases.filter((opened) => !own.has(opened.id) && isJudgedByText(opened));
  const alike = await findAlike(db, kind, others, since);
  return cases.map((opened) => {
    const row = own.get(opened.id);
    if (row) return recall(readAnswer(row), true);
    const other = alike.get(opened.subject.hash);
    return other && isOfSame(other, opened) ? recall(adopt(readAnswer(other), opened), false) : null;
  });
}

/** Whether whoever judges it is shown its text and nothing else: no file, and nothing of its context. */
function isJudgedByText({ job, settings, subject }: UnrecordedOpening): boolean {
  const { context } = (settings as Record<string, { context?: readonly string[] } | undefined>)[job] ?? {};
  return isBytes(subject.hash) && !subject.attachments?.length && !context?.length;
}

const recall = (answer: Answer | null, isOnRecord: boolean): RecalledCase | null => answer && { answer, isOnRecord };

function readAnswer(row: CompactRow): Answer | null {
  const { answer, version } = readCompact(row).verdict;
  return answer ? (fromStored('verdict', version, answer) as Answer) : null;
}

/** For each text the case that was last put on record about it. */
async function findAlike(
  db: Db,
  kind: Kind,
  cases: readonly UnrecordedOpening[],
  since: string,
): Promise<Map<string, CompactRow>> {
  if (cases.length === 0) return new Map();
  const hashes = cases.map(({ subject }) => readHash(subject.hash));
  const isOne =
    kind === 'postgresql'
      ? sql`${readReferenceKey(sql`hash`)} = any(cast(${writeArray(hashes.map(cutKey))} as bytea[]))`
      : sql`hash in (select unhex(value) from json_each(${JSON.stringify(cases.map(({ subject }) => subject.hash.slice(7)))}))`;
  const { rows } = await sql<Pick<Texts, 'hash' | 'cases'>>`
    select hash, cases from texts where ${isOne} and day >= ${dayOf(since)} order by day`.execute(db);
  const subjects = new Map(rows.map(({ hash, cases: ids }) => [lastOf(ids), writeHash(hash)]));
  if (subjects.size === 0) return new Map();
  const found = await findCompact(db, kind, [...subjects.keys()], since);
  return new Map(found.map((row) => [subjects.get(row.id)!, row]));
}

const lastOf = (ids: string): string => ids.slice(ids.lastIndexOf(' ') + 1);

/** Models, prompts and policy are in the configuration; the content says all else that was judged, and its name. */
function isOfSame(row: CompactRow, { job, configuration, subject }: UnrecordedOpening): boolean {
  return (
    row.job === job &&
    row.configuration === configuration &&
    row.data !== null &&
    toStored(unnamed(JSON.parse(unpackText(row.data)))) === toStored(unnamed(subject.content))
  );
}

/** A content without what whoever brought it calls it. */
function unnamed(content: unknown): unknown {
  const { id: _, ...rest } = content as { id?: unknown };
  return rest;
}

/** The same judgement as that of another case. */
function adopt(answer: Answer | null, { id, context, subject: { content } }: UnrecordedOpening): Answer | null {
  if (!answer) return null;
  const { seal: _, subject, ...rest } = answer as Answer & { subject: { context?: object } };
  const { context: __, ...about } = subject;
  const named = { ...about, id: (content as { id?: string }).id ?? null, ...(context ? { context } : {}) };
  return sealAnswer({ ...rest, id, subject: named });
}
