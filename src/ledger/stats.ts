import type { Database, Db } from './database.ts';
import type { LedgerStats } from './ledger.ts';
import { schemaOf } from './migrate.ts';
import type { Tables } from './tables.ts';

export async function ledgerStats(database: Database): Promise<LedgerStats> {
  const { db, kind, place } = database;
  const unfinished = await db
    .selectFrom('debates')
    .leftJoin('verdicts', 'verdicts.debate', 'debates.id')
    .where('verdicts.debate', 'is', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  const forgotten = await db
    .selectFrom('subjects')
    .where('forgotten_at', 'is not', null)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return {
    kind,
    place,
    schema: await schemaOf(db, kind),
    bytes: await database.bytes(),
    subjects: await count(db, 'subjects'),
    forgottenSubjects: Number(forgotten.count),
    debates: await count(db, 'debates'),
    unfinishedDebates: Number(unfinished.count),
    entries: await count(db, 'entries'),
    verdicts: await countBy(db, 'verdicts', 'label'),
    decisions: await count(db, 'decisions'),
    precedents: await countBy(db, 'precedents', 'state'),
    runs: await count(db, 'runs'),
    runItems: await countBy(db, 'run_items', 'state'),
    benches: await count(db, 'benches'),
    benchJudgements: await count(db, 'bench_judgements'),
    annotations: await count(db, 'annotation_projects'),
    annotationVotes: await count(db, 'annotation_votes'),
    cached: await count(db, 'cache'),
  };
}

async function count(db: Db, table: keyof Tables): Promise<number> {
  const { count: rows } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

async function countBy(
  db: Db,
  table: 'verdicts' | 'precedents' | 'run_items',
  column: 'label' | 'state',
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom(table)
    .select(({ fn, ref }) => [ref(column as 'label').as('value'), fn.countAll().as('count')])
    .groupBy(column as 'label')
    .orderBy(column as 'label')
    .execute();
  return Object.fromEntries(rows.map(({ value, count: found }) => [value, Number(found)]));
}
