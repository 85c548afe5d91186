import { randomBytes } from 'node:crypto';
import { annotationStore } from './annotation/annotation-store.ts';
import { authorStore } from './authors/author-store.ts';
import { benchStore } from './benches/bench-store.ts';
import { callStore } from './calls/call-store.ts';
import { attachmentStore } from './cases/attachments.ts';
import { figuresStore } from './cases/case-figures.ts';
import { caseStore } from './cases/case-store.ts';
import { journalStore } from './cases/journal-store.ts';
import { pruneLedger } from './cases/prune-ledger.ts';
import type { Database, Db } from './database/database.ts';
import { insertNew, putRow } from './database/fixed-query.ts';
import { fromStored, storedVersion, toStored } from './database/stored-json.ts';
import { exportLines } from './exchange/export-lines.ts';
import { makeLazily } from './open-ledger.ts';
import type { AnswerCache, Ledger, LedgerStats } from './ledger.ts';
import { readSchemaNumber } from './migrations/migrate.ts';
import { holdStore } from './holds/hold-store.ts';
import { knownImageStore } from './pictures/known-image-store.ts';
import { pictureStore } from './pictures/picture-store.ts';
import { outcomeStore } from './outcomes/outcome-store.ts';
import { fleetStore } from './postgres/fleet-store.ts';
import { precedentStore } from './precedents/precedent-store.ts';
import { recordStore } from './records/record-store.ts';
import { correctionStore } from './reviews/correction-store.ts';
import { decisionStore } from './reviews/decision-store.ts';
import { queueStore } from './reviews/queue-store.ts';
import { findingEditStore } from './reviews/finding-edit-store.ts';
import { leaseStore } from './reviews/lease-store.ts';
import { reviewStore } from './reviews/review-store.ts';
import { openItemQueue } from './runs/item-queue.ts';
import { runStore } from './runs/run-store.ts';
import { auditStore } from './server/audit-store.ts';
import { idempotencyStore } from './server/idempotency-store.ts';
import { keyStore } from './server/key-store.ts';
import { policyStore } from './server/policy-store.ts';
import { rateStore } from './server/rate-store.ts';
import { sessionStore } from './server/session-store.ts';
import { streamStore } from './server/stream-store.ts';
import { webhookStore } from './server/webhook-store.ts';
import { teamStore } from './teams/team-store.ts';
import { alertStore } from './watching/alert-store.ts';
import { shadowStore } from './watching/shadow-store.ts';
import { watchFigures } from './watching/watch-figures.ts';
import type { Tables } from './schema/tables.ts';

/** The stores on a database that is open, each made when it is first asked for: a verdict needs few of them. */
export function buildLedger(database: Database): Ledger {
  return makeLazily<Ledger>({
    kind: () => database.kind,
    place: () => database.place,
    upgradedFrom: () => database.upgradedFrom,
    journal: () => journalStore(database),
    cases: () => caseStore(database),
    calls: () => callStore(database),
    decisions: () => decisionStore(database),
    corrections: () => correctionStore(database),
    findings: () => findingEditStore(database),
    reviews: () => reviewStore(database),
    queues: () => queueStore(database),
    precedents: () => precedentStore(database),
    runs: () => runStore(database),
    benches: () => benchStore(database),
    annotations: () => annotationStore(database),
    figures: () => figuresStore(database),
    outcomes: () => outcomeStore(database),
    authors: () => authorStore(database),
    watching: () => watchFigures(database),
    alerts: () => alertStore(database),
    shadows: () => shadowStore(database),
    policies: () => policyStore(database),
    audit: () => auditStore(database),
    holds: () => holdStore(database),
    records: () => recordStore(database),
    keys: () => keyStore(database),
    idempotency: () => idempotencyStore(database),
    streams: () => streamStore(database),
    webhooks: () => webhookStore(database),
    rates: () => rateStore(database),
    sessions: () => sessionStore(database),
    leases: () => leaseStore(database),
    teams: () => teamStore(database),
    notices: () => database.notices ?? null,
    fleet: () => (database.kind === 'postgresql' ? fleetStore(database) : null),
    openQueue: () => async (options) => openItemQueue(database, options),
    pictures: () => pictureStore(database),
    knownImages: () => knownImageStore(database),
    attachments: () => attachmentStore(database),
    cache: () => cacheStore(database),
    readSecret: () => () => readSharedSecret(database),
    readStats: () => () => readStats(database),
    export: () => () => exportLines(database),
    prune: () => (options) => pruneLedger(database, options),
    close: () => () => database.close(),
  });
}

function cacheStore({ db, write }: Database): AnswerCache {
  return {
    async findAnswer(key) {
      const row = await db.selectFrom('cache').select(['version', 'value']).where('key', '=', key).executeTakeFirst();
      return row && fromStored('cache', row.version, row.value);
    },
    async keepAnswer(key, value) {
      const kept = { version: storedVersion, value: toStored(value), kept_at: new Date().toISOString() };
      await write((trx) => putRow(trx, 'cache', { key }, kept));
    },
  };
}

/**
 * The secret that all machines on a server share, made by whoever asks first; undefined for a file, which serves one
 * machine.
 */
async function readSharedSecret({ kind, db }: Database): Promise<string | undefined> {
  if (kind === 'sqlite') return undefined;
  await insertNew(db.insertInto('meta').values({ key: 'secret', value: randomBytes(32).toString('hex') }));
  return (await db.selectFrom('meta').select('value').where('key', '=', 'secret').executeTakeFirstOrThrow()).value;
}

async function readStats(database: Database): Promise<LedgerStats> {
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
  const contents = await db
    .selectFrom('listing')
    .where('packed', 'is not', null)
    .select(({ fn }) => fn.count('subject').distinct().as('count'))
    .executeTakeFirstOrThrow();
  const single = Object.fromEntries(
    (
      await db
        .selectFrom('listing')
        .where('packed', 'is not', null)
        .select(({ fn }) => ['label', fn.countAll().as('count')])
        .groupBy('label')
        .execute()
    ).map(({ label, count }) => [label!, Number(count)]),
  );
  return {
    kind,
    place,
    schema: await readSchemaNumber(db, kind),
    bytes: await database.bytes(),
    subjects: (await countRows(db, 'subjects')) + Number(contents.count),
    forgottenSubjects: Number(forgotten.count),
    debates: (await countRows(db, 'debates')) + sumCounts(single),
    unfinishedDebates: Number(unfinished.count),
    entries: await countRows(db, 'entries'),
    verdicts: addCounts(await countRowsBy(db, 'verdicts', 'label'), single),
    decisions: await countRows(db, 'decisions'),
    corrections: await countRows(db, 'corrections'),
    precedents: await countRowsBy(db, 'precedents', 'state'),
    runs: await countRows(db, 'runs'),
    runItems: await countRowsBy(db, 'run_items', 'state'),
    benches: await countRows(db, 'benches'),
    benchJudgements: await countRows(db, 'bench_judgements'),
    annotations: await countRows(db, 'annotation_projects'),
    annotationVotes: await countRows(db, 'annotation_votes'),
    cached: await countRows(db, 'cache'),
  };
}

function sumCounts(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function addCounts(a: Record<string, number>, b: Record<string, number>): Record<string, number> {
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])].toSorted();
  return Object.fromEntries(names.map((name) => [name, (a[name] ?? 0) + (b[name] ?? 0)]));
}

async function countRows(db: Db, table: keyof Tables): Promise<number> {
  const { count: rows } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(rows);
}

async function countRowsBy(
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
