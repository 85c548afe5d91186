import type { Journal } from '@agonhq/engine/debate';
import type { PrecedentStore } from '@agonhq/models/precedents';
import type { AnnotationStore } from './annotation/annotations.ts';
import type { Authors } from './authors/author-store.ts';
import type { BenchStore } from './benches/bench-store.ts';
import type { Calls } from './calls/call-store.ts';
import type { Figures } from './cases/case-figures.ts';
import type { StoredAttachment, Cases, OpenedAttachment } from './cases/cases.ts';
import type { LegalHolds } from './holds/holds.ts';
import type { KnownImages } from './pictures/known-image-store.ts';
import type { Pictures } from './pictures/picture-store.ts';
import type { Outcomes } from './outcomes/outcome-store.ts';
import type { Records } from './records/record-store.ts';
import type { CorrectionStore } from './reviews/correction-store.ts';
import type { FindingEdits } from './reviews/finding-edit-store.ts';
import type { Decisions } from './reviews/decision-store.ts';
import type { Queues } from './reviews/queue-store.ts';
import type { Reviews } from './reviews/review-store.ts';
import type { Notices } from './postgres/notices.ts';
import type { RunStore } from './runs/runs.ts';
import type { Fleet, ItemQueue, QueueOptions } from './runs/workers.ts';
import type { AuditStore } from './server/audit-store.ts';
import type { IdempotencyStore } from './server/idempotency-store.ts';
import type { KeyStore } from './server/key-store.ts';
import type { PolicyStore } from './server/policy-store.ts';
import type { StreamStore } from './server/stream-store.ts';
import type { WebhookStore } from './server/webhook-store.ts';
import type { LeaseStore } from './reviews/lease-store.ts';
import type { RateStore } from './server/rate-store.ts';
import type { SessionStore } from './server/session-store.ts';
import type { TeamStore } from './teams/team-store.ts';
import type { AlertStore } from './watching/alert-store.ts';
import type { ShadowStore } from './watching/shadow-store.ts';
import type { WatchFigures } from './watching/watch-figures.ts';

/** The database of record: one file of SQLite, or PostgreSQL. Everything it acknowledges is on disk. */
export interface Ledger {
  readonly kind: 'sqlite' | 'postgresql';
  /** Where it is, in words without secrets: a path, or host and database. */
  readonly place: string;
  /** The schema that it had before it was opened, where it was brought up to date just now; else null. */
  readonly upgradedFrom: number | null;
  readonly journal: Journal;
  readonly cases: Cases;
  /** What models were sent for the turns of cases, and what they said. */
  readonly calls: Calls;
  readonly decisions: Decisions;
  /** What people say of the claims of an answer. */
  readonly corrections: CorrectionStore;
  /** What people make of its findings for the report. */
  readonly findings: FindingEdits;
  /** What waits for a person. */
  readonly reviews: Reviews;
  /** Which of it reviewers find together. */
  readonly queues: Queues;
  readonly precedents: PrecedentStore;
  readonly runs: RunStore;
  readonly benches: BenchStore;
  readonly annotations: AnnotationStore;
  /** What many cases came to. */
  readonly figures: Figures;
  /** The same case by case, for accounts of a time. */
  readonly outcomes: Outcomes;
  /** What is on record of those who wrote what was judged. */
  readonly authors: Authors;
  /** The same by group, for what is watched over time. */
  readonly watching: WatchFigures;
  readonly alerts: AlertStore;
  readonly shadows: ShadowStore;
  readonly policies: PolicyStore;
  /** Who did what on the HTTP server. Neither forgetting nor pruning takes it away. */
  readonly audit: AuditStore;
  /** What must not be taken away, whatever else says so. */
  readonly holds: LegalHolds;
  /** Trees over what was written, by which it shows whether somebody has rewritten it. */
  readonly records: Records;
  /** Of the HTTP server: never exported, like the six below. */
  readonly keys: KeyStore;
  readonly idempotency: IdempotencyStore;
  /** How far streams are. */
  readonly streams: StreamStore;
  readonly webhooks: WebhookStore;
  /** What is left of limits that servers share. */
  readonly rates: RateStore;
  /** Sessions that somebody signed out of. */
  readonly sessions: SessionStore;
  /** Who looks at which case of the queue now. */
  readonly leases: LeaseStore;
  /** The teams of the installation, each with a ledger of its own; that of a team knows of none. */
  readonly teams: TeamStore;
  /** What processes that share the ledger tell each other; null where a ledger serves one machine. */
  readonly notices: Notices | null;
  /** Workers and their limits; null where a ledger serves one machine. */
  readonly fleet: Fleet | null;
  /** The queue of a worker. */
  openQueue(options: QueueOptions): Promise<ItemQueue>;
  /** What stands for the pixels of judged images. */
  readonly pictures: Pictures;
  /** The restricted queue: never exported with the rest. */
  readonly knownImages: KnownImages;
  /** Files that items refer to, by hash: kept for workers on other machines. */
  readonly attachments: AttachmentStore;
  /** Answers of models, by the hash of what was sent. */
  readonly cache: AnswerCache;
  /**
   * The secret behind the fences around untrusted content that all machines on a server share; undefined where a
   * ledger serves one machine. Never exported.
   */
  readSecret(): Promise<string | undefined>;
  readStats(): Promise<LedgerStats>;
  /** Every row as a line of JSON; nothing refers to what comes after it. Vectors are left out: they are made again. */
  export(): AsyncIterable<LedgerLine>;
  /**
   * Takes away what is older: contents (verdict and seal stay), or whole cases and benches; cache and abandoned
   * debates too.
   */
  prune(options: PruneOptions): Promise<PruneReport>;
  close(): Promise<void>;
}

export interface AttachmentStore {
  keepAttachment(attachment: StoredAttachment): Promise<void>;
  findAttachment(hash: string): Promise<StoredAttachment | undefined>;
  /** Without its bytes, which are read as they are asked for. */
  openAttachment(hash: string): Promise<OpenedAttachment | undefined>;
}

export interface AnswerCache {
  findAnswer(key: string): Promise<unknown>;
  keepAnswer(key: string, value: unknown): Promise<void>;
}

export interface LedgerStats {
  kind: Ledger['kind'];
  place: string;
  schema: number;
  bytes: number | null;
  subjects: number;
  forgottenSubjects: number;
  debates: number;
  unfinishedDebates: number;
  entries: number;
  verdicts: Record<string, number>;
  decisions: number;
  corrections: number;
  precedents: Record<string, number>;
  runs: number;
  /** By state. */
  runItems: Record<string, number>;
  benches: number;
  /** Of all benches together. */
  benchJudgements: number;
  /** Annotation projects, and the votes in all of them. */
  annotations: number;
  annotationVotes: number;
  cached: number;
}

/** One line of an export: what kind of row, in which version of its JSON, and the row. */
export interface LedgerLine {
  kind: string;
  version: number;
  [field: string]: unknown;
}

export interface PruneOptions {
  /** Only what was last touched before this moment. */
  before: Date;
  /**
   * `contents`: what was judged and said, while verdict, seal and decision stay. `cases`: everything about them, and
   * benches.
   */
  what: 'contents' | 'cases' | 'cache' | 'unfinished';
  dryRun?: boolean;
}

export interface PruneReport {
  subjects: number;
  debates: number;
  entries: number;
  cached: number;
  /** Items of runs that were not judged, and cannot be without their content. */
  items: number;
  /** With their judgements and attachments. */
  benches: number;
  /** Cases that are old enough, and stay: a legal hold covers them. */
  held: number;
}
