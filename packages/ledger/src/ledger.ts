import type { makeParts } from './build-ledger.ts';
import type { OpenedAttachment, StoredAttachment } from './cases/cases.ts';

type Parts = ReturnType<typeof makeParts>;

/** The database of record: one file of SQLite, or PostgreSQL. Everything it acknowledges is on disk. */
export type Ledger = { readonly [Name in keyof Parts]: ReturnType<Parts[Name]> };

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
