import { sql } from 'kysely';
import type { KeptPrecedent } from '../../precedents/index.ts';
import { findAnnotationItems } from '../annotation/forget-items.ts';
import { forgetSubject, forgottenItem } from '../cases/forget-subject.ts';
import type { Database, Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { fromStored, toStorable } from '../database/stored-json.ts';
import { assertNotHeld, isInForce, makeHoldError } from '../holds/check-holds.ts';
import { dropInputs } from '../runs/item-outcomes.ts';
import { readEntry, type AuditEntry } from '../server/audit-store.ts';
import type { Listing } from '../tables/tables.ts';

/** Where a case of an author stands with its reviewers. */
export interface ReviewState {
  stage: Listing['stage'];
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

export interface ForgottenAuthor {
  /** Contents that were forgotten, and the cases about them. */
  subjects: number;
  cases: number;
  /** Of them, cases of other authors about the same content. */
  othersCases: number;
  /** Items of runs that had not been judged yet. */
  items: number;
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
  /** Forgets all contents of an author, some in each transaction. Refused before anything where a hold covers one. */
  forget(author: string): Promise<ForgottenAuthor>;
}

const pageSize = 200;
/** Others have their turn in between. */
const subjectsAtOnce = 20;

export function authorStore(database: Database): Authors {
  const { db, kind, write } = database;
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
    async forget(author) {
      const who = toStorable(author);
      const plan = await planForgetting(db, kind, who);
      const forgotten = { ...plan, subjects: 0, cases: 0, items: 0 };
      await assertFree(db, kind, who);
      for (let more = true; more;)
        more = await write(async (trx) => {
          const subjects = await listSubjects(trx, who).limit(subjectsAtOnce).execute();
          for (const { subject } of subjects) forgotten.cases += await forgetSubject(trx, kind, subject);
          forgotten.subjects += subjects.length;
          if (subjects.length === subjectsAtOnce) return true;
          forgotten.items += await dropInputs(trx, forgottenItem, () => isOfAuthor(kind, who));
          return false;
        });
      await database.scrub();
      return forgotten;
    },
  };
}

async function* readCases(db: Db, author: string): AsyncGenerator<string> {
  const own = db.selectFrom('contexts').select('debate').where('author', '=', author);
  for (let last: { opened_at: string; id: string } | null = null; ;) {
    let query = db
      .selectFrom('debates')
      .select(['id', 'opened_at'])
      .where(({ or, eb }) => or([eb('id', 'in', own), eb('again_of', 'in', own)]))
      .orderBy('opened_at')
      .orderBy('id')
      .limit(pageSize);
    if (last) {
      const { opened_at, id } = last;
      query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '>', tuple(opened_at, id)));
    }
    const rows: { id: string; opened_at: string }[] = await query.execute();
    for (const { id } of rows) yield id;
    if (rows.length < pageSize) return;
    last = rows.at(-1)!;
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
  return {
    stage: row.stage,
    queue: row.queue,
    dueAt: row.due_at,
    assigned: row.assigned,
    sampled: row.sampled === 1,
  };
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

/** Whether an item of a run is of an author; `run_items` is in reach. */
function isOfAuthor(kind: Kind, author: string) {
  return kind === 'sqlite'
    ? sql<boolean>`json_extract(run_items.input, '$.context.author') = ${author}`
    : sql<boolean>`(cast(run_items.input as json) -> 'context' ->> 'author') = ${author}`;
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

/** The contents of an author that are not forgotten. */
function listSubjects(db: Db, author: string) {
  return db
    .selectFrom('contexts')
    .innerJoin('debates', 'debates.id', 'contexts.debate')
    .select('debates.subject')
    .distinct()
    .where('contexts.author', '=', author)
    .where('debates.forgotten_at', 'is', null)
    .orderBy('debates.subject');
}

async function planForgetting(db: Db, kind: Kind, author: string): Promise<ForgottenAuthor> {
  const subjects = listSubjects(db, author);
  const about = db
    .selectFrom('debates')
    .where('subject', 'in', subjects.clearOrderBy())
    .where('forgotten_at', 'is', null);
  const cases = await about.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow();
  const others = await about
    .innerJoin('contexts', 'contexts.debate', 'debates.id')
    .where('contexts.author', '<>', author)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const items = await db
    .selectFrom('run_items')
    .where('input', 'is not', null)
    .where(isOfAuthor(kind, author))
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return {
    subjects: (await subjects.execute()).length,
    cases: Number(cases.count),
    othersCases: Number(others.count),
    items: Number(items.count),
  };
}

/** Before anything is taken away: neither the author nor one of their contents is held. */
async function assertFree(db: Db, kind: Kind, author: string): Promise<void> {
  const own = await db
    .selectFrom('legal_holds')
    .selectAll()
    .where('author', '=', author)
    .where(isInForce(new Date()))
    .executeTakeFirst();
  if (own) throw makeHoldError(own);
  for (const { subject } of await listSubjects(db, author).execute()) await assertNotHeld(db, kind, subject);
}
