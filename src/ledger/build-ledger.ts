import { randomBytes } from 'node:crypto';
import { annotationStore } from './annotation/annotation-store.ts';
import { benchStore } from './benches/bench-store.ts';
import { attachmentStore } from './cases/attachments.ts';
import { figuresStore } from './cases/case-figures.ts';
import { caseStore } from './cases/case-store.ts';
import { journalStore } from './cases/journal-store.ts';
import { pruneLedger } from './cases/prune-ledger.ts';
import type { Database, Db } from './database/database.ts';
import { fromStored, storedVersion, toStored } from './database/stored-json.ts';
import { exportLines } from './exchange/export-lines.ts';
import { importLines } from './exchange/import-lines.ts';
import type { AnswerCache, Ledger, LedgerStats } from './ledger.ts';
import { schemaOf } from './migrations/migrate.ts';
import { precedentStore } from './precedents/precedent-store.ts';
import { decisionStore } from './reviews/decision-store.ts';
import { reviewStore } from './reviews/review-store.ts';
import { runStore } from './runs/run-store.ts';
import { idempotencyStore } from './server/idempotency-store.ts';
import { keyStore } from './server/key-store.ts';
import { policyStore } from './server/policy-store.ts';
import { webhookStore } from './server/webhook-store.ts';
import { fileParts } from './sqlite/item-queue.ts';
import type { Tables } from './tables/tables.ts';

/** The stores on a database that is open. */
export function ledgerOn(database: Database): Ledger {
  const { fleet, hooks, queue } = database.fleetParts ?? fileParts(database);
  return {
    kind: database.kind,
    place: database.place,
    journal: journalStore(database),
    cases: caseStore(database),
    decisions: decisionStore(database),
    reviews: reviewStore(database),
    precedents: precedentStore(database),
    runs: runStore(database, hooks),
    benches: benchStore(database),
    annotations: annotationStore(database),
    figures: figuresStore(database),
    policies: policyStore(database),
    keys: keyStore(database),
    idempotency: idempotencyStore(database),
    webhooks: webhookStore(database),
    fleet,
    openQueue: queue,
    attachments: attachmentStore(database),
    cache: cacheStore(database),
    readSecret: () => sharedSecret(database),
    readStats: () => ledgerStats(database),
    export: () => exportLines(database),
    import: (lines) => importLines(database, lines),
    prune: (options) => pruneLedger(database, options),
    close: () => database.close(),
  };
}

function cacheStore({ db, write }: Database): AnswerCache {
  return {
    async findAnswer(key) {
      const row = await db.selectFrom('cache').select(['version', 'value']).where('key', '=', key).executeTakeFirst();
      return row && fromStored('cache', row.version, row.value);
    },
    async keepAnswer(key, value) {
      const kept = { version: storedVersion, value: toStored(value), kept_at: new Date().toISOString() };
      await write((trx) =>
        trx
          .insertInto('cache')
          .values({ key, ...kept })
          .onConflict((conflict) => conflict.column('key').doUpdateSet(kept))
          .execute(),
      );
    },
  };
}

/**
 * The secret that all machines on a server share, made by whoever asks first; undefined for a file, which serves one
 * machine.
 */
async function sharedSecret({ kind, db }: Database): Promise<string | undefined> {
  if (kind === 'sqlite') return undefined;
  await db
    .insertInto('meta')
    .values({ key: 'secret', value: randomBytes(32).toString('hex') })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  return (await db.selectFrom('meta').select('value').where('key', '=', 'secret').executeTakeFirstOrThrow()).value;
}

async function ledgerStats(database: Database): Promise<LedgerStats> {
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
