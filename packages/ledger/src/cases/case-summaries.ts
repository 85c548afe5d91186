import type { Db, Kind } from '../database/database.ts';
import { oneOf } from '../database/fixed-query.ts';
import { readMoment } from '../database/stored-json.ts';
import { z } from 'zod';
import { findCompact, readCompact, selectCompact, type CompactRow } from '../compact/read-compact.ts';
import { heldForMs, type CaseSummary } from './cases.ts';

/** Of one case or a few: what lists are filtered by, for those that are asked for. */
export function selectListed(db: Db) {
  return db
    .selectFrom('listing')
    .select([
      'listing.opened_at',
      'listing.id',
      'listing.disagreement',
      'listing.models',
      'listing.decided',
      'listing.setup',
    ]);
}

/** The rows behind summaries of cases that have rows of their own; of one that is a single row, where to find it. */
export function selectSummaries(db: Db, few: ReturnType<typeof selectListed>) {
  return (
    db
      .selectFrom(few.as('few'))
      // SQLite takes them in this order: for each of the few, the rest of it.
      .leftJoin('debates', 'debates.id', 'few.id')
      .leftJoin('subjects', 'subjects.hash', 'debates.subject')
      .leftJoin('verdicts', 'verdicts.debate', 'debates.id')
      .leftJoin('contexts', 'contexts.debate', 'debates.id')
      .where(({ or, eb }) => or([eb('debates.id', 'is not', null), eb('few.setup', 'is not', null)]))
      .select([
        'few.id',
        'few.opened_at',
        'debates.job',
        'debates.subject',
        'debates.configuration',
        'debates.run',
        'debates.again_of',
        'debates.again_how',
        'debates.forgotten_at',
        'debates.seen_at',
        'debates.problem',
        'verdicts.closed_at',
        'verdicts.label',
        'verdicts.risk',
        'verdicts.bar',
        'verdicts.escalate',
        'verdicts.rule',
        'verdicts.categories',
        'verdicts.degraded',
        'verdicts.modality',
        'verdicts.action',
        'verdicts.severity',
        'verdicts.seal',
        'subjects.excerpt',
        'contexts.author',
        'contexts.thread',
        'few.disagreement',
        'few.models',
        'few.decided',
        'few.setup',
      ])
  );
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof selectSummaries>['executeTakeFirstOrThrow']>>;
export type SummaryRow = FoundRow & { job: string; subject: string; configuration: string };

/** Of a case that is a single row, what the rows of another would say. */
export function summarizeCompact(row: CompactRow): SummaryRow {
  const { subject, debate, verdict } = readCompact(row);
  const { author, thread, disagreement, models, decided, setup } = row;
  const { debate: _, version: __, answer: ___, ...closed } = verdict;
  return {
    ...debate,
    ...closed,
    excerpt: subject.excerpt,
    author,
    thread,
    disagreement,
    models,
    decided,
    setup,
  };
}

/** Summaries of what was found, in its order. */
export async function readSummaries(db: Db, kind: Kind, rows: readonly FoundRow[]): Promise<CaseSummary[]> {
  const single = rows.filter(({ setup }) => setup !== null);
  const found = new Map<string, CompactRow>();
  if (single.length > 0) {
    const moments = single.map(({ opened_at }) => opened_at).toSorted();
    const few = selectCompact(db)
      // What is in other parts of the table need not be looked at.
      .where('listing.opened_at', '>=', moments[0]!)
      .where('listing.opened_at', '<=', moments.at(-1)!)
      .where(
        oneOf(
          kind,
          'listing.id',
          single.map(({ id }) => id),
        ),
      );
    for (const row of await few.execute()) found.set(row.id, row);
  }
  return rows.flatMap((row) => {
    if (row.setup === null) return [readSummary(row as SummaryRow)];
    const compact = found.get(row.id);
    return compact ? [readSummary(summarizeCompact(compact))] : [];
  });
}

export function readSummary(row: SummaryRow): CaseSummary {
  return {
    id: row.id,
    job: row.job,
    subject: row.subject,
    configuration: row.configuration,
    run: row.run,
    again: row.again_of === null ? null : { of: row.again_of, how: row.again_how! },
    openedAt: new Date(row.opened_at),
    closedAt: readMoment(row.closed_at),
    ...readState(row),
    label: row.label,
    risk: row.risk,
    bar: row.bar,
    escalate: row.escalate === 1,
    rule: row.rule,
    categories: row.categories === null ? [] : (JSON.parse(row.categories) as string[]),
    degraded: row.degraded === 1,
    modality: row.modality,
    action: row.action,
    severity: row.severity as CaseSummary['severity'],
    author: row.author,
    thread: row.thread,
    disagreement: row.disagreement,
    models: JSON.parse(row.models) as string[],
    excerpt: row.forgotten_at === null ? row.excerpt : null,
    decided: row.decided === 1,
    seal: row.seal,
    forgottenAt: readMoment(row.forgotten_at),
  };
}

const problemSchema = z.object({ code: z.string(), message: z.string(), hint: z.string() });

function readState({
  label,
  seen_at,
  opened_at,
  problem,
}: Pick<SummaryRow, 'label' | 'seen_at' | 'opened_at' | 'problem'>): Pick<CaseSummary, 'state' | 'problem'> {
  if (label !== null) return { state: 'judged', problem: null };
  const { from, to } = findHeldSpan();
  const heard = seen_at ?? opened_at;
  const isHeld = problem === null && heard >= from && heard <= to;
  return {
    state: isHeld ? 'judging' : 'interrupted',
    problem: problem === null ? null : problemSchema.parse(JSON.parse(problem)),
  };
}

/**
 * When a case was last heard of that somebody holds. What was heard of in the future was held by a process whose clock
 * was wrong, and would be held for as long as that: one that still holds it says so by the database's clock.
 */
export function findHeldSpan(): { from: string; to: string } {
  const now = Date.now();
  return { from: new Date(now - heldForMs).toISOString(), to: new Date(now + heldForMs).toISOString() };
}

/** Summaries of a few cases, by id. */
export async function findSummaries(
  db: Db,
  kind: Kind,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CaseSummary>> {
  if (ids.length === 0) return new Map();
  const few = selectListed(db).where(({ eb, refTuple, selectFrom }) =>
    eb(
      refTuple('listing.opened_at', 'listing.id'),
      'in',
      selectFrom('debates')
        .select(['debates.opened_at', 'debates.id'])
        .where(oneOf(kind, 'debates.id', ids))
        .$asTuple('opened_at', 'id'),
    ),
  );
  const whole = (await selectSummaries(db, few).execute()).map((row) => readSummary(row as SummaryRow));
  const found = new Map(whole.map((summary) => [summary.id, summary]));
  const others = ids.filter((id) => !found.has(id));
  if (others.length > 0)
    for (const row of await findCompact(db, kind, others)) found.set(row.id, readSummary(summarizeCompact(row)));
  return found;
}
