import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { listed, summaryOf, summaryQuery } from './case-summaries.ts';
import type { CaseSummary, WordsOfCase } from './cases.ts';
import type { Db, Kind } from './database.ts';
import { oneOf } from './one-of.ts';

const rowsAtOnce = 1_000;
/** Of a job that is rarely asked for: no further back than this among all cases. */
const mostLookedAt = 20_000;

/** The words of the newest finished cases of a job, some at a time: between two of them others have their turn. */
export async function* newestWords(
  db: Db,
  job: string,
  most: number,
): AsyncGenerator<readonly WordsOfCase[], void, void> {
  let found = 0;
  let after: readonly [string, string] | null = null;
  for (let looked = 0; looked < mostLookedAt && found < most; looked += rowsAtOnce) {
    const rows: readonly { opened_at: string; id: string; words: string | null }[] = await page(db, job, after);
    const own = rows.flatMap(({ id, words }) => (words === null ? [] : [{ id, words }])).slice(0, most - found);
    if (own.length > 0) yield own;
    found += own.length;
    const last = rows.at(-1);
    if (!last || rows.length < rowsAtOnce) return;
    after = [last.opened_at, last.id];
    await nextTurn();
  }
}

function page(db: Db, job: string, after: readonly [string, string] | null) {
  return db
    .selectFrom('listing')
    .select(['opened_at', 'id'])
    .select(sql<string | null>`case when job = ${job} and label is not null then search end`.as('words'))
    .$if(after !== null, (query) =>
      query.where(({ eb, refTuple, tuple }) => eb(refTuple('opened_at', 'id'), '<', tuple(...after!))),
    )
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(rowsAtOnce)
    .execute();
}

/** Summaries of a few cases, by id. */
export async function summariesOf(
  db: Db,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CaseSummary>> {
  if (ids.length === 0) return new Map();
  const few = listed(db).where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('listing.opened_at', 'listing.id'),
      'in',
      selectFrom('debates')
        .select(['debates.opened_at', 'debates.id'])
        .where(oneOf(kind, 'debates.id', ids))
        .$asTuple('opened_at', 'id'),
    ),
  );
  return new Map((await summaryQuery(db, few).execute()).map((row) => [row.id, summaryOf(row)]));
}
