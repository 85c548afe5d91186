import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool } from 'kysely';
import type { Db, Kind } from '../database/database.ts';
import { makePage, readCursor } from '../database/pages.ts';
import { toStorable } from '../database/stored-json.ts';
import type { Tables } from '../schema/tables.ts';
import { findHeldSpan, readSummaries, selectListed, selectSummaries } from './case-summaries.ts';
import type { CaseFilter, CaseSummary, CaseText, Page } from './cases.ts';
import { isAbout } from '../compact/subjects.ts';
import { hashLetterPairs } from './listing.ts';

/** A page of cases, the newest first. */
export async function listCases(
  db: Db,
  kind: Kind,
  filter: CaseFilter,
  { limit = 50, after = null }: { limit?: number; after?: string | null } = {},
): Promise<Page<CaseSummary>> {
  if (kind === 'sqlite') await enlargePageCache(db);
  let few = selectListed(db)
    .where((row) => row.and(listConditions(row, kind, filter)))
    .orderBy('listing.opened_at', 'desc')
    .orderBy('listing.id', 'desc')
    .limit(limit + 1);
  if (after !== null)
    few = few.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('listing.opened_at', 'listing.id'), '<', tuple(...readCursor(after, 'cases'))),
    );
  const rows = await selectSummaries(db, few).orderBy('few.opened_at', 'desc').orderBy('few.id', 'desc').execute();
  const { rows: page, next } = makePage(
    rows,
    limit,
    (row) => row,
    ({ opened_at, id }) => [opened_at, id],
  );
  return { rows: await readSummaries(db, kind, page), next };
}

const enlarged = new WeakSet<Db>();

/**
 * Who lists cases turns pages: SQLite then keeps up to 64 MB of the file in memory, which holds the listing of about
 * 150,000 cases. Others do not pay for it.
 */
export async function enlargePageCache(db: Db): Promise<void> {
  if (enlarged.has(db)) return;
  enlarged.add(db);
  await sql`pragma cache_size = -65536`.execute(db);
}

type Row = ExpressionBuilder<Tables, 'listing'>;
type Conditions = Expression<SqlBool>[];

function listConditions(row: Row, kind: Kind, { search = '', ...filter }: CaseFilter): Conditions {
  return [
    row.eb('listing.shadow', '=', 0),
    ...(Object.entries(filter) as [keyof typeof filter, never][])
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => narrowing[name]?.(row, value, kind) ?? hasValue(name, value)),
    // The words last: what the rest leaves out need not be looked through.
    ...wordConditions(kind, search),
  ];
}

/** How a part narrows that is not the column of its name. What few have in common is looked up by an index. */
const narrowing: {
  [Name in keyof CaseFilter]?: (row: Row, value: NonNullable<CaseFilter[Name]>, kind: Kind) => Expression<SqlBool>;
} = {
  id: (row, prefix) => beginsWith(row, toStorable(prefix)),
  again: (row, id) => isAmongDebates(row, (debate) => debate('debates.again_of', '=', toStorable(id))),
  subject: (_, subject) => isOfSubject(toStorable(subject)),
  configuration: (row, configuration) => isUnder(row, toStorable(configuration)),
  author: (_, author) => isOf('author', toStorable(author)),
  thread: (_, thread) => isOf('thread', toStorable(thread)),
  category: (_, category, kind) => holdsText(kind, sql.ref('listing.categories'), JSON.stringify(category)),
  clause: (_, clause, kind) => holdsText(kind, sql.ref('listing.clauses'), JSON.stringify(clause)),
  model: (_, model, kind) => holdsText(kind, sql.ref('listing.models'), JSON.stringify(model)),
  since: ({ eb }, since) => eb('listing.opened_at', '>=', since.toISOString()),
  until: ({ eb }, until) => eb('listing.opened_at', '<', until.toISOString()),
  minDisagreement: ({ eb }, degree) => eb('listing.disagreement', '>=', degree),
  // A case that is still open is neither escalated nor degraded.
  escalated: ({ eb }, escalated) => eb('listing.escalate', '=', Number(escalated)),
  finished: ({ eb }, finished) => eb('listing.label', finished ? 'is not' : 'is', null),
  state: (row, state) =>
    state === 'judged'
      ? row.eb('listing.label', 'is not', null)
      : row.and([row.eb('listing.label', 'is', null), hasState(row, state)]),
};

function hasValue(name: string, value: string | boolean): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(`listing.${name}`)} = ${typeof value === 'string' ? toStorable(value) : Number(value)}`;
}

function isUnder(row: Row, configuration: string): Expression<SqlBool> {
  const { eb, or, selectFrom } = row;
  return or([
    isAmongDebates(row, (debate) => debate('debates.configuration', '=', configuration)),
    eb('listing.setup', 'in', selectFrom('setups').select('setups.id').where('configuration', '=', configuration)),
  ]);
}

/** Few have no verdict: whether somebody holds one is looked up where it is said. */
function hasState(row: Row, state: 'judging' | 'interrupted') {
  const { from, to } = findHeldSpan();
  return isAmongDebates(row, (debate) => {
    const held = debate.and([
      debate('debates.problem', 'is', null),
      debate.between(debate.fn.coalesce('debates.seen_at', 'debates.opened_at'), from, to),
    ]);
    return state === 'judging' ? held : debate.not(held);
  });
}

/** The words that somebody looks for, as they are listed. */
export function splitSought(search: string): string[] {
  return toStorable(search).toLowerCase().split(/\s+/).filter(Boolean);
}

/** Of a row of the listing. Their pairs of letters rule out nearly all before the words are looked for. */
export function wordConditions(kind: Kind, search: string): Conditions {
  const words = splitSought(search);
  const pairs = words
    .map(hashLetterPairs)
    .reduce<readonly bigint[]>((all, one) => one.map((bits, index) => bits | (all[index] ?? 0n)), []);
  const ruledIn = pairs.flatMap((bits, index) =>
    bits === 0n ? [] : [sql<SqlBool>`(${sql.ref(`listing.pairs_${index + 1}`)} & ${bits}) = ${bits}`],
  );
  return [...ruledIn, ...words.map((word) => holdsText(kind, sql.ref('listing.search'), word))];
}

function isAmongDebates(
  row: Row,
  which: (debate: ExpressionBuilder<Tables, 'debates'>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const { eb, refTuple, selectFrom } = row;
  return eb(
    refTuple('listing.opened_at', 'listing.id'),
    'in',
    selectFrom('debates').select(['debates.opened_at', 'debates.id']).where(which).$asTuple('opened_at', 'id'),
  );
}

function beginsWith({ and, eb }: Row, prefix: string): Expression<SqlBool> {
  return and([eb('listing.id', '>=', prefix), eb('listing.id', '<', `${prefix}\u{10FFFF}`)]);
}

/** A case that is a single row says what it is about, and whose it is, itself. */
function isOfSubject(subject: string): Expression<SqlBool> {
  return sql<SqlBool>`(listing.opened_at, listing.id) in (
    select opened_at, id from debates where subject = ${subject}
    union all select opened_at, id from listing where ${isAbout(subject)})`;
}

function isOf(name: 'author' | 'thread', whose: string): Expression<SqlBool> {
  const column = sql.ref(name);
  return sql<SqlBool>`(listing.opened_at, listing.id) in (
    select opened_at, debate from contexts where ${column} = ${whose}
    union all select opened_at, id from listing where ${column} = ${whose})`;
}

/** Letter by letter: no letter of what is sought has a meaning of its own. */
export function holdsText(kind: Kind, text: RawBuilder<unknown>, sought: string): Expression<SqlBool> {
  return sql<SqlBool>`${sql.raw(kind === 'sqlite' ? 'instr' : 'strpos')}(${text}, ${sought}) > 0`;
}

const rowsAtOnce = 1_000;
/** Of a job that is rarely asked for: no further back than this among all cases. */
const mostLookedAt = 20_000;

/** The words of the newest finished cases of a job, some at a time: between two of them others have their turn. */
export async function* readNewestTexts(
  db: Db,
  job: string,
  most: number,
): AsyncGenerator<readonly CaseText[], void, void> {
  let found = 0;
  let after: readonly [string, string] | null = null;
  for (let looked = 0; looked < mostLookedAt && found < most; looked += rowsAtOnce) {
    const rows: readonly { opened_at: string; id: string; words: string | null }[] = await readTextPage(db, job, after);
    const own = rows.flatMap(({ id, words }) => (words === null ? [] : [{ id, words }])).slice(0, most - found);
    if (own.length > 0) yield own;
    found += own.length;
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = [last.opened_at, last.id];
    await nextTurn();
  }
}

function readTextPage(db: Db, job: string, after: readonly [string, string] | null) {
  return db
    .selectFrom('listing')
    .select(['opened_at', 'id'])
    .select(sql<string | null>`case when job = ${job} and label is not null and shadow = 0 then search end`.as('words'))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '<', tuple(...after!))),
    )
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowsAtOnce)
    .execute();
}
