import { sql, type RawBuilder } from 'kysely';
import type { KeptPrecedent } from '@agonhq/models/precedents';
import { findAnnotationItems } from '../annotation/forget-items.ts';
import type { Database, Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored, toStorable } from '../database/stored-json.ts';
import { readEntry, type AuditEntry } from '../server/audit-store.ts';
import type { Tables } from '../schema/tables.ts';
import { forgetAuthor } from './forget-author.ts';
import { isOfAuthor, planForgetting, selectBrought, type ForgottenAuthor } from './plan-forgetting.ts';

/** Where a case of an author stands with its reviewers. */
export interface ReviewState {
  stage: Tables['listing']['stage'];
  queue: string;
  dueAt: string;
  assigned: string | null;
  /** Whether a quality sample drew it. */
  sampled: boolean;
}

/** What somebody labelled of the same content in a project of annotation. */
export interface AnnotatedItem {
  project: string;
  position: number;
  label: string | null;
  votes: { voter: string; label: string; why: string | null; finding: unknown; at: string }[];
}

/** What waits in a run, and was not judged yet. */
export interface WaitingItem {
  run: string;
  position: number;
  input: unknown;
}

/** What is on record of the author of items, by the id that their context gives. */
export interface Authors {
  /** Their cases, replays, appeals and shadows too, in the order of time, page by page. */
  readCases(author: string): AsyncIterable<string>;
  readReview(caseId: string): Promise<ReviewState | null>;
  /** Lines of the audit log about some things. */
  findEntriesAbout(targets: readonly string[]): Promise<readonly AuditEntry[]>;
  findAnnotations(subject: string): Promise<readonly AnnotatedItem[]>;
  findPrecedents(subject: string): Promise<readonly KeptPrecedent[]>;
  readWaitingItems(author: string): AsyncIterable<WaitingItem>;
  /** What forgetting them would take away. */
  planForgetting(author: string): Promise<ForgottenAuthor>;
  /**
   * Forgets all contents of an author, some in each transaction; of what another author brought too, only the author's
   * own cases. Refused before anything where a hold covers one.
   */
  forget(author: string): Promise<ForgottenAuthor>;
}

const pageSize = 200;

export function authorStore(database: Database): Authors {
  const { db, kind } = database;
  return {
    readCases: (author) => readCases(db, toStorable(author)),
    readReview: (caseId) => readReview(db, caseId),
    findEntriesAbout: (targets) => findEntriesAbout(db, kind, targets),
    findAnnotations: (subject) => findAnnotations(db, kind, subject),
    async findPrecedents(subject) {
      const rows = await db.selectFrom('precedents').selectAll().where('subject', '=', subject).orderBy('id').execute();
      return rows.map(({ version, precedent }) => fromStored('precedent', version, precedent));
    },
    readWaitingItems: (author) => readWaitingItems(db, kind, toStorable(author)),
    planForgetting: (author) => planForgetting(db, kind, toStorable(author)),
    forget: (author) => forgetAuthor(database, toStorable(author)),
  };
}

async function* readCases(db: Db, author: string): AsyncGenerator<string> {
  const own = selectBrought(author);
  for (let after: readonly [string, string] | null = ['', '']; after !== null;) {
    const isBehind: RawBuilder<boolean> = sql`(opened_at, id) > (${after[0]}, ${after[1]})`;
    const { rows }: { rows: Pick<Tables['listing'], 'opened_at' | 'id'>[] } = await sql<
      Pick<Tables['listing'], 'opened_at' | 'id'>
    >`
      select opened_at, id from debates where (id in ${own} or again_of in ${own}) and ${isBehind}
      union all select opened_at, id from listing where author = ${author} and ${isBehind}
      order by opened_at, id limit ${sql.lit(pageSize)}`.execute(db);
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    after = last && rows.length === pageSize ? [last.opened_at, last.id] : null;
  }
}

async function readReview(db: Db, caseId: string): Promise<ReviewState | null> {
  const row = await db
    .selectFrom('debates')
    .innerJoin('listing', (join) =>
      join.onRef('listing.opened_at', '=', 'debates.opened_at').onRef('listing.id', '=', 'debates.id'),
    )
    .select(['listing.stage', 'listing.queue', 'listing.due_at', 'listing.assigned', 'listing.sampled'])
    .where('debates.id', '=', caseId)
    .executeTakeFirst();
  if (!row || row.stage === null) return null;
  const { due_at, sampled, ...rest } = row;
  return { ...rest, dueAt: due_at, sampled: sampled === 1 };
}

async function findEntriesAbout(db: Db, kind: Kind, targets: readonly string[]): Promise<AuditEntry[]> {
  // What is named first is what it is about; an image of it, or a claim, may stand behind.
  const begins = targets.map((target) => sql<boolean>`(target >= ${`${target} `} and target < ${`${target}!`})`);
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .where(({ or }) => or([oneOf(kind, 'target', targets), ...begins]))
    .orderBy('id')
    .execute();
  return rows.map(readEntry);
}

async function findAnnotations(db: Db, kind: Kind, subject: string): Promise<AnnotatedItem[]> {
  const items: AnnotatedItem[] = [];
  for (const { project, position } of await findAnnotationItems(db, kind, subject)) {
    const item = await db
      .selectFrom('annotation_items')
      .select('label')
      .where('project', '=', project)
      .where('position', '=', position)
      .executeTakeFirst();
    const votes = await db
      .selectFrom('annotation_votes')
      .selectAll()
      .where('project', '=', project)
      .where('position', '=', position)
      .orderBy('voted_at')
      .execute();
    items.push({
      project,
      position,
      label: item?.label ?? null,
      votes: votes.map(({ voter, label, why, finding, voted_at }) => ({
        voter,
        label,
        why,
        finding: finding === null ? null : (JSON.parse(finding) as unknown),
        at: voted_at,
      })),
    });
  }
  return items;
}

async function* readWaitingItems(db: Db, kind: Kind, author: string): AsyncGenerator<WaitingItem> {
  const query = db
    .selectFrom('run_items')
    .select(['run', 'position', 'version', 'input'])
    .where('input', 'is not', null)
    .where(isOfAuthor(kind, author))
    .orderBy('run')
    .orderBy('position')
    .limit(pageSize);
  for (let rows = await query.execute(); rows.length > 0;) {
    for (const { run, position, version, input } of rows)
      yield { run, position, input: fromStored('run-item', version, input!) };
    if (rows.length < pageSize) return;
    const { run, position } = rows.at(-1)!;
    rows = await query
      .where(({ eb, refTuple, tuple }) => eb(refTuple('run', 'position'), '>', tuple(run, position)))
      .execute();
  }
}
