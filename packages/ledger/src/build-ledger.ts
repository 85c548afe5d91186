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
import type { AnswerCache, Ledger, LedgerLine, LedgerStats, PruneOptions } from './ledger.ts';
import { readSchemaNumber } from './migrations/migrate.ts';
import { holdStore } from './holds/hold-store.ts';
import { knownImageStore } from './pictures/known-image-store.ts';
import { pictureStore } from './pictures/picture-store.ts';
import { outcomeStore } from './outcomes/outcome-store.ts';
import { fleetStore } from './postgres/fleet-store.ts';
import type { Notices } from './postgres/notices.ts';
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
import type { Fleet, QueueOptions } from './runs/workers.ts';
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

/** What a ledger consists of, each made when it is first asked for: a verdict needs few of them. */
export const makeParts = (database: Database) => ({
  kind: () => database.kind,
  /** Where it is, in words without secrets: a path, or host and database. */
  place: () => database.place,
  /** The schema that it had before it was opened, where it was brought up to date just now; else null. */
  upgradedFrom: () => database.upgradedFrom,
  journal: () => journalStore(database),
  cases: () => caseStore(database),
  /** What models were sent for the turns of cases, and what they said. */
  calls: () => callStore(database),
  decisions: () => decisionStore(database),
  /** What people say of the claims of an answer. */
  corrections: () => correctionStore(database),
  /** What people make of its findings for the report. */
  findings: () => findingEditStore(database),
  /** What waits for a person. */
  reviews: () => reviewStore(database),
  /** Which of it reviewers find together. */
  queues: () => queueStore(database),
  precedents: () => precedentStore(database),
  runs: () => runStore(database),
  benches: () => benchStore(database),
  annotations: () => annotationStore(database),
  /** What many cases came to. */
  figures: () => figuresStore(database),
  /** The same case by case, for accounts of a time. */
  outcomes: () => outcomeStore(database),
  /** What is on record of those who wrote what was judged. */
  authors: () => authorStore(database),
  /** The same by group, for what is watched over time. */
  watching: () => watchFigures(database),
  alerts: () => alertStore(database),
  shadows: () => shadowStore(database),
  policies: () => policyStore(database),
  /** Who did what on the HTTP server. Neither forgetting nor pruning takes it away. */
  audit: () => auditStore(database),
  /** What must not be taken away, whatever else says so. */
  holds: () => holdStore(database),
  /** Trees over what was written, by which it shows whether somebody has rewritten it. */
  records: () => recordStore(database),
  /** Of the HTTP server: never exported, like the six below. */
  keys: () => keyStore(database),
  idempotency: () => idempotencyStore(database),
  /** How far streams are. */
  streams: () => streamStore(database),
  webhooks: () => webhookStore(database),
  /** What is left of limits that servers share. */
  rates: () => rateStore(database),
  /** Sessions that somebody signed out of. */
  sessions: () => sessionStore(database),
  /** Who looks at which case of the queue now. */
  leases: () => leaseStore(database),
  /** The teams of the installation, each with a ledger of its own; that of a team knows of none. */
  teams: () => teamStore(database),
  /** What processes that share the ledger tell each other; null where a ledger serves one machine. */
  notices: (): Notices | null => database.notices ?? null,
  /** Workers and their limits; null where a ledger serves one machine. */
  fleet: (): Fleet | null => (database.kind === 'postgresql' ? fleetStore(database) : null),
  /** The queue of a worker. */
  openQueue: () => async (options: QueueOptions) => openItemQueue(database, options),
  /** What stands for the pixels of judged images. */
  pictures: () => pictureStore(database),
  /** The restricted queue: never exported with the rest. */
  knownImages: () => knownImageStore(database),
  /** Files that items refer to, by hash: kept for workers on other machines. */
  attachments: () => attachmentStore(database),
  /** Answers of models, by the hash of what was sent. */
  cache: () => cacheStore(database),
  /**
   * The secret behind the fences around untrusted content that all machines on a server share; undefined where a
   * ledger serves one machine. Never exported.
   */
  readSecret: () => () => readSharedSecret(database),
  readStats: () => () => readStats(database),
  /** Every row as a line of JSON; nothing refers to what comes after it. Vectors are left out: they are made again. */
  export: () => (): AsyncIterable<LedgerLine> => exportLines(database),
  /**
   * Takes away what is older: contents (verdict and seal stay), or whole cases and benches; cache and abandoned
   * debates too.
   */
  prune: () => (options: PruneOptions) => pruneLedger(database, options),
  close: () => () => database.close(),
});

export function buildLedger(database: Database): Ledger {
  return makeLazily<Ledger>(makeParts(database));
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
