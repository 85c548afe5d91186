import type { AskedCases } from './case-filter.ts';
import type { Answer, AnswerDescription, JobAnswer, Verdict } from '@agonhq/engine/debate';
import type { ItemContext } from '@agonhq/engine/items/item-context';

/** What has to be known to hold a trial, and to hold it again. */
export interface UnrecordedOpening {
  /** The debate's id. */
  id: string;
  job: string;
  subject: { hash: string; content: unknown; attachments?: readonly StoredAttachment[] };
  /** What is known about the item beside what it says. */
  context?: ItemContext;
  /** Hash of models, prompts, policy, precedents and plan. */
  configuration: string;
  /** The settings of the job as they were, secrets left out. */
  settings: unknown;
  policy: { hash: string; name: string; version: string; document: unknown };
  run?: string | null;
  /** The case that this one holds again. */
  again?: { of: string; how: 'replay' | 'appeal' | 'shadow' } | null;
}

/** A case that was decided at once, and is not on record yet. */
export interface UnrecordedCase {
  opened: UnrecordedOpening;
  answer: JobAnswer;
  description: AnswerDescription;
}

export interface StoredAttachment {
  hash: string;
  mediaType: string;
  data: Uint8Array;
}

/** A file of a case without its bytes, which may be many: `attachments.find` has them. */
export interface AttachmentRow extends Omit<StoredAttachment, 'data'> {
  bytes: number;
}

/** A file of which only what is asked for is read. */
export interface OpenedAttachment extends AttachmentRow {
  /** From `start` up to, and without, `end`. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** What was judged and decided. `answer` is null while the debate runs, and after its content was forgotten. */
export interface Case extends CaseSummary {
  /** Null when it was forgotten. */
  content: unknown;
  /** Null where there was none, and when it was forgotten. */
  context: ItemContext | null;
  /** Images and documents that were judged; none when they were forgotten. */
  attachments: readonly AttachmentRow[];
  settings: unknown;
  policy: { hash: string; name: string; version: string; document: unknown };
  /** Most have one verdict; of a job with several, its own reader knows the rest. */
  answer: Answer | null;
}

export interface CaseSummary {
  id: string;
  job: string;
  subject: string;
  configuration: string;
  run: string | null;
  again: { of: string; how: 'replay' | 'appeal' | 'shadow' } | null;
  openedAt: Date;
  closedAt: Date | null;
  /**
   * `judging`: it is held at this moment. `interrupted`: it has no verdict, and nobody works on it; judged again, it
   * goes on where it stopped.
   */
  state: 'judged' | 'judging' | 'interrupted';
  /** What stopped it; null where nothing did, or nobody could say so any more. */
  problem: CaseProblem | null;
  label: string | null;
  /** How risky it is and the bar it is held against; null where nobody was heard, and of a job that states no risk. */
  risk: number | null;
  bar: number | null;
  escalate: boolean;
  rule: string | null;
  categories: readonly string[];
  degraded: boolean;
  modality: string | null;
  /** What the policy asks for, and how grave it is; null where there is no policy. */
  action: string | null;
  severity: NonNullable<Verdict['severity']> | null;
  /** Of its context; null where it has none, and when it was forgotten. */
  author: string | null;
  thread: string | null;
  /** How far apart the two sides ended, 0 to 1; null where there are no two sides. */
  disagreement: number | null;
  /** Who sat in its seats. */
  models: readonly string[];
  /** The first words of what was judged; null when it was forgotten. */
  excerpt: string | null;
  /** By a person. */
  decided: boolean;
  /** The answer's seal: stays when the content is forgotten. */
  seal: string | null;
  forgottenAt: Date | null;
}

/** Why a debate ended without a verdict. */
export interface CaseProblem {
  code: string;
  message: string;
  hint: string;
}

/** A debate that has not been heard of for so long is held by nobody. */
export const heldForMs = 60_000;

export interface CaseFilter extends AskedCases {
  /** How the id begins. */
  id?: string;
  /** Only those that hold this case again. */
  again?: string;
  subject?: string;
  configuration?: string;
}

/** What a case came to, for those who look at many. */
export interface StoredVerdict {
  rule: string;
  categories: readonly string[];
  action: string | null;
  severity: string | null;
  /** Null when its content was forgotten. */
  answer: JobAnswer | null;
}

export interface Page<Row> {
  rows: readonly Row[];
  /** Where the next page starts; null at the end. */
  next: string | null;
}

/** The first words of what was judged, in lower case. */
export interface CaseText {
  id: string;
  words: string;
}

/**
 * An answer that was given before: of the case itself, or of another with the same text, and then not yet on record.
 */
export interface RecalledCase {
  answer: JobAnswer;
  isOnRecord: boolean;
}

/** Subjects, debates and verdicts. */
export interface Cases {
  /** Before a debate starts; a case that is there already stays as it is. */
  openCase(opened: UnrecordedOpening): Promise<JobAnswer | void>;
  /**
   * The same for a case that was decided at once, and then closed: one that is clear and has nothing but its text is
   * put on record as a single row, together with others that come at the same moment. Whoever changes it later has the
   * rows of a case.
   */
  keepDecided(decided: UnrecordedCase): Promise<JobAnswer>;
  /**
   * What was decided in the last day of the same case, or of the same text under the same configuration with another
   * context, where that is on record as a single row; looked up with others that are asked for at once.
   */
  recallDecided(opened: UnrecordedOpening): Promise<RecalledCase | null>;
  /** When it has ended. Says what stands: of a trial that was recalled, the first record. */
  closeCase(answer: JobAnswer, description: AnswerDescription): Promise<JobAnswer>;
  /** Says that these are still held: once in less than `heldForMs`. */
  holdCases(ids: readonly string[]): Promise<void>;
  /** When its debate ended without a verdict; opened again, it forgets that. */
  interruptCase(id: string, problem: CaseProblem): Promise<void>;
  findCase(id: string): Promise<Case | undefined>;
  /** The files of a case, without the rest of it; none where there is no such case, or its content was forgotten. */
  listAttachments(id: string): Promise<readonly AttachmentRow[]>;
  /** The verdicts of many cases at once, by id; cases that have none are left out. */
  findVerdicts(ids: readonly string[]): Promise<ReadonlyMap<string, StoredVerdict>>;
  /** The newest first. */
  listCases(filter: CaseFilter, options?: { limit?: number; after?: string | null }): Promise<Page<CaseSummary>>;
  /** The words of the newest finished cases of a job, some at a time. */
  readNewestTexts(job: string, most: number): AsyncIterable<readonly CaseText[]>;
  /** Of a few cases, by id. */
  findSummaries(ids: readonly string[]): Promise<ReadonlyMap<string, CaseSummary>>;
  /**
   * Takes away what was judged and what was said about it; verdict, rule, decision and seal stay. Says how many
   * debates it concerned.
   */
  forgetSubject(subject: string): Promise<number>;
}
