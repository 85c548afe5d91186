import { sql } from 'kysely';
import { summaryOf, summaryQuery } from './case-summaries.ts';
import type { CaseFilter, CaseSummary, Page } from './cases.ts';
import type { Db, Kind } from './database.ts';
import { pageAfter, placeIn } from './page-cursor.ts';

/** A page of cases, the newest first. */
export async function listCases(db: Db, kind: Kind, filter: CaseFilter, { limit = 50, after = null }: { limit?: number; after?: string | null } = {}): Promise<Page<CaseSummary>> {
  let query = summaryQuery(db).orderBy('debates.opened_at', 'desc').orderBy('debates.id', 'desc').limit(limit + 1);
  if (after !== null) query = query.where(({ eb, refTuple, tuple }) => eb(refTuple('debates.opened_at', 'debates.id'), '<', tuple(...placeIn(after, 'cases'))));

  for (const name of ['job', 'run', 'subject', 'configuration'] as const) if (filter[name] !== undefined) query = query.where(`debates.${name}`, '=', filter[name]);
  if (filter.id !== undefined) query = query.where(sql<boolean>`substr(${sql.ref('debates.id')}, 1, ${sql.lit(filter.id.length)}) = ${filter.id}`);
  if (filter.again !== undefined) query = query.where('debates.again_of', '=', filter.again);
  for (const name of ['label', 'modality'] as const) if (filter[name] !== undefined) query = query.where(`verdicts.${name}`, '=', filter[name]);
  // A case that is still open is neither escalated nor degraded.
  for (const name of ['escalate', 'degraded'] as const) {
    if (filter[name] !== undefined) query = query.where(({ fn, val, eb }) => eb(fn.coalesce(`verdicts.${name}`, val(0)), '=', Number(filter[name])));
  }
  if (filter.finished !== undefined) query = query.where('verdicts.closed_at', filter.finished ? 'is not' : 'is', null);
  if (filter.since) query = query.where('debates.opened_at', '>=', filter.since.toISOString());
  if (filter.until) query = query.where('debates.opened_at', '<', filter.until.toISOString());
  if (filter.decided !== undefined) {
    query = query.where(({ exists, not, selectFrom }) => {
      const decided = exists(selectFrom('decisions').select('decisions.id').whereRef('decisions.case_id', '=', 'debates.id'));
      return filter.decided ? decided : not(decided);
    });
  }
  if (filter.category !== undefined) query = query.where(holds(kind, 'verdicts.categories', JSON.stringify(filter.category)));
  const words = filter.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  if (words.length > 0) query = query.where('debates.forgotten_at', 'is', null);
  for (const word of words) query = query.where(holds(kind, 'subjects.search', word));

  const rows = await query.execute();
  return pageAfter(rows, limit, summaryOf, ({ opened_at, id }) => [opened_at, id]);
}

/** Letter by letter: no letter of what is sought has a meaning of its own. */
function holds(kind: Kind, column: string, sought: string) {
  return sql<boolean>`${sql.raw(kind === 'sqlite' ? 'instr' : 'strpos')}(${sql.ref(column)}, ${sought}) > 0`;
}
