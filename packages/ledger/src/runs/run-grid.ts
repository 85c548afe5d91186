import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely';
import { AgonError } from '@agonhq/engine/agon-error';
import { makeExcerpt } from '../cases/listing.ts';
import { enlargePageCache, holdsText, splitSought, wordConditions } from '../cases/list-cases.ts';
import { findCompact, readCompact } from '../compact/read-compact.ts';
import type { Database, Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { makePage, readCursor } from '../database/pages.ts';
import { fromStored, toStorable } from '../database/stored-json.ts';
import { isJudged, readItem, selectItems } from './run-rows.ts';
import type { GridItem, GridOptions, ItemFilter, RunItem, RunStore } from './runs.ts';

/**
 * The items of a run as a grid beside those of others. What a page holds is found in narrow rows first; then the rest
 * of these few is read.
 */
export function runGrid({ db, kind }: Database): Pick<RunStore, 'pageItems'> {
  return {
    async pageItems(run, filter, options) {
      if (kind === 'sqlite') await enlargePageCache(db);
      const { limit, others = [], count = false } = options;
      const [few, total] = await Promise.all([
        findMatches(db, kind, run, filter, options),
        count && isEveryItem(filter) ? countAll(db, run) : null,
      ]);
      const items = await readGridItems(db, kind, run, few, others);
      const known = few.flatMap((row) => {
        const item = items.get(row.position);
        return item ? [{ item, row }] : [];
      });
      const page = makePage(
        known,
        limit,
        ({ item }) => item,
        ({ row }) => [String(row.value), String(row.position)],
      );
      return { ...page, total: count ? (total ?? Number(few[0]?.total ?? 0)) : null };
    },
  };
}

interface Match {
  position: number;
  value: string | number;
  total: number | string | null;
}

/** The places of a page's items, and of the one behind it. */
async function findMatches(
  db: Db,
  kind: Kind,
  run: string,
  filter: ItemFilter,
  options: GridOptions,
): Promise<readonly Match[]> {
  const { limit, after, by = 'position', descending = false, others = [], count = false } = options;
  const value = valueOf(by, descending);
  const conditions = matchItems(db, kind, run, filter, others.length);
  if (after !== null) conditions.push(standsBehind(after, value, options));
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const order = by === 'position' ? sql`item.position ${direction}` : sql`2 ${direction}, item.position`;
  // All matches are kept until they are counted: where everything matches, that is asked for by itself.
  const total = count && !isEveryItem(filter) ? sql`count(*) over ()` : sql`null`;
  const { rows } = await sql<Match>`
    ${filter.changed === undefined ? sql`` : sql`with ${findFlipped(run, others)}`}
    select item.position, ${value} as value, ${total} as total from ${joinAsked(run, filter, options)}
    where ${sql.join(conditions, sql` and `)} order by ${order} limit ${sql.lit(limit + 1)}`.execute(db);
  return rows;
}

/** Whether nothing is left out. */
function isEveryItem({ search, ...filter }: ItemFilter): boolean {
  return splitSought(search ?? '').length === 0 && Object.values(filter).every((value) => value === undefined);
}

async function countAll(db: Db, run: string): Promise<number> {
  const { rows } = await sql<{ items: number | string }>`
    select count(*) as items from run_items where run = ${run}`.execute(db);
  return Number(rows[0]?.items ?? 0);
}

/**
 * Each item, and the one that was judged in its place: of few, which PostgreSQL would otherwise look for among all.
 * In another run the one with its content, where somebody asks for it.
 */
function joinAsked(run: string, { changed }: ItemFilter, { by, others = [] }: GridOptions): RawBuilder<unknown> {
  // Whether anything flipped is asked of an index alone.
  const asked = changed === 'corrected' || changed === 'broken' ? others : others.slice(0, Number(by === 'change'));
  const beside = asked.map((other, index) => {
    const name = sql.raw(`other_${index}`);
    return sql`left join run_items as ${name} on ${name}.run = ${other} and ${name}.hash = item.hash
      and ${name}.label is not null`;
  });
  const judged = sql`left join run_items as judged on judged.run = ${run} and judged.position = item.same_as
    and judged.position in (select same_as from run_items where run = ${run} and same_as is not null)`;
  return sql`run_items as item ${sql.join([judged, ...beside], sql` `)}`;
}

/** A column of an item, or of the one that was judged in its place. */
function own(column: string): RawBuilder<unknown> {
  return sql`coalesce(${sql.ref(`judged.${column}`)}, ${sql.ref(`item.${column}`)})`;
}

function matchItems(db: Db, kind: Kind, run: string, filter: ItemFilter, others: number): Expression<SqlBool>[] {
  const { search, state, label, expected, outcome, escalated, changed } = filter;
  const conditions: Expression<SqlBool>[] = [sql`item.run = ${run}`];
  if (state !== undefined) conditions.push(sql`item.state = ${state}`);
  if (label !== undefined) conditions.push(sql`${own('label')} = ${toStorable(label)}`);
  if (expected !== undefined) conditions.push(sql`item.expected = ${toStorable(expected)}`);
  if (outcome !== undefined)
    conditions.push(sql`item.expected ${sql.raw(outcome === 'right' ? '=' : '<>')} ${own('label')}`);
  if (escalated !== undefined) conditions.push(sql`${own('escalate')} = ${sql.lit(Number(escalated))}`);
  if (changed !== undefined)
    conditions.push(sql`coalesce(item.same_as, item.position) in (select position from flipped)`);
  if (changed === 'corrected' || changed === 'broken') conditions.push(isChanged(changed, others));
  if (search !== undefined && splitSought(search).length > 0) conditions.push(holdsWords(db, kind, search));
  return conditions;
}

/**
 * What another run judged otherwise. Both runs are walked by content, side by side and in an index alone, and once:
 * looking each item up in the other run takes more than twice as long.
 */
function findFlipped(run: string, others: readonly string[]): RawBuilder<unknown> {
  const each = others.map(
    (other) => sql`select mine.position from run_items as mine
      inner join run_items as theirs on theirs.run = ${other} and theirs.hash = mine.hash and theirs.label is not null
      where mine.run = ${run} and mine.label is not null and theirs.label <> mine.label`,
  );
  const all = each.length === 0 ? sql`select 0` : sql.join(each, sql` union all `);
  return sql`flipped (position) as materialized (${all})`;
}

/** Whether what flipped became right, or wrong: by the item's own true label. */
function isChanged(changed: 'corrected' | 'broken', others: number): Expression<SqlBool> {
  const each = Array.from({ length: others }, (_, index) => {
    const theirs = sql.ref(`other_${index}.label`);
    const [wrong, right] = changed === 'corrected' ? [own('label'), theirs] : [theirs, own('label')];
    return sql`(${wrong} <> item.expected and ${right} = item.expected)`;
  });
  return each.length === 0 ? sql`1 = 0` : sql`(${sql.join(each, sql` or `)})`;
}

/** What was judged is listed by its words; what was not stands with the item. */
function holdsWords(db: Db, kind: Kind, search: string): Expression<SqlBool> {
  const listed = db
    .selectFrom('listing')
    .select('listing.id')
    .where(({ and }) => and(wordConditions(kind, search)));
  const holdsAll = (value: RawBuilder<unknown>) =>
    sql`(${sql.join(
      splitSought(search).map((word) => holdsText(kind, sql`lower(${value})`, word)),
      sql` and `,
    )})`;
  return sql`(${own('case_id')} in ${listed} or ${holdsAll(sql`item.key`)}
    or (${own('case_id')} is null and ${holdsAll(own('input'))}))`;
}

const values: Record<Exclude<GridOptions['by'], undefined>, { write: () => RawBuilder<unknown>; isText?: true }> = {
  position: { write: () => sql`item.position` },
  key: { write: () => sql`item.key`, isText: true },
  label: { write: () => own('label'), isText: true },
  risk: { write: () => own('risk') },
  cost: { write: () => own('cost_usd') },
  latency: { write: () => own('latency_ms') },
  change: { write: () => sql`abs(other_0.risk - ${own('risk')})` },
};

/** What items are put in order by: what has no value comes last, whichever way. */
function valueOf(by: keyof typeof values, descending: boolean): RawBuilder<unknown> {
  const { write, isText } = values[by];
  const value = write();
  if (by === 'position') return value;
  if (isText) return sql`coalesce(${value}, ${sql.lit(descending ? '' : '\u{10FFFF}')})`;
  return sql`coalesce(${value}, ${sql.raw(descending ? '-1e300' : '1e300')})`;
}

function standsBehind(
  after: string,
  value: RawBuilder<unknown>,
  { by = 'position', descending = false }: GridOptions,
): Expression<SqlBool> {
  const [written, place] = readCursor(after, 'items');
  const position = Number(place);
  const last = values[by].isText ? written : Number(written);
  if (!Number.isSafeInteger(position) || Number.isNaN(last))
    throw new AgonError(
      'bad-page',
      'There is no such page of items.',
      'Pass what `next` of the page before says, or nothing for the first.',
    );
  const beyond = sql.raw(descending ? '<' : '>');
  if (by === 'position') return sql`item.position ${beyond} ${position}`;
  return sql`(${value} ${beyond} ${last} or (${value} = ${last} and item.position > ${position}))`;
}

/** The first words of cases that are a single row each, by id. */
async function findExcerpts(
  db: Db,
  kind: Kind,
  rows: readonly { case_id: string | null; excerpt: string | null; forgotten_at: string | null }[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = rows.flatMap(({ case_id, excerpt, forgotten_at }) =>
    case_id !== null && excerpt === null && forgotten_at === null ? [case_id] : [],
  );
  if (ids.length === 0) return new Map();
  return new Map((await findCompact(db, kind, ids)).map((row) => [row.id, readCompact(row).subject.excerpt]));
}

/** The whole of a few items, by position. */
async function readGridItems(
  db: Db,
  kind: Kind,
  run: string,
  few: readonly { position: number }[],
  others: readonly string[],
): Promise<ReadonlyMap<number, GridItem>> {
  if (few.length === 0) return new Map();
  const rows = await selectItems(db)
    .leftJoin('debates', (join) =>
      join.on(({ eb, fn, ref }) => eb(ref('debates.id'), '=', fn.coalesce('judged.case_id', 'run_items.case_id'))),
    )
    .leftJoin('subjects', 'subjects.hash', 'debates.subject')
    .select(({ fn }) => [
      'run_items.version',
      'subjects.excerpt',
      'debates.forgotten_at',
      fn.coalesce('judged.input', 'run_items.input').as('input'),
    ])
    .where('run_items.run', '=', run)
    .where(
      oneOf(
        kind,
        'run_items.position',
        few.map(({ position }) => position),
      ),
    )
    .execute();
  const excerpts = await findExcerpts(db, kind, rows);
  const hashes = [...new Set(rows.map(({ hash }) => hash))];
  const beside = await Promise.all(others.map((other) => findByContent(db, kind, other, hashes)));
  return new Map(
    rows.map((row) => {
      const waiting = row.input === null ? null : makeExcerpt(fromStored('run-item', row.version, row.input));
      return [
        row.position,
        {
          ...readItem(row),
          excerpt: row.forgotten_at === null ? (row.excerpt ?? excerpts.get(row.case_id ?? '') ?? waiting) : null,
          others: beside.map((found) => found.get(row.hash) ?? null),
        },
      ];
    }),
  );
}

/** Of each of these contents the item that is judged, by hash. */
export async function findByContent(
  db: Db,
  kind: Kind,
  run: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, RunItem>> {
  const rows = await selectItems(db)
    .where('run_items.run', '=', run)
    .where(oneOf(kind, 'run_items.hash', hashes.map(toStorable)))
    .where(isJudged)
    .execute();
  return new Map(rows.map((row) => [row.hash, readItem(row)]));
}
