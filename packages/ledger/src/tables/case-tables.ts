import type { Generated } from 'kysely';

/* What was judged, said and decided, and what lists show of it. */

export interface Attachments {
  hash: string;
  media_type: string;
  data: Uint8Array;
  /** When it was kept for an item that is about to be put into a run; null once a subject refers to it. */
  kept_at: string | null;
}

export interface Subjects {
  hash: string;
  version: number;
  /** Null when it was forgotten, like the two below. */
  content: string | null;
  excerpt: string | null;
  /** The excerpt in lower case. */
  search: string | null;
  opened_at: string;
  forgotten_at: string | null;
}

export interface SubjectAttachments {
  subject: string;
  position: number;
  attachment: string;
}

export interface Debates {
  id: string;
  version: number;
  job: string;
  subject: string;
  configuration: string;
  settings: string;
  policy: string;
  run: string | null;
  again_of: string | null;
  again_how: 'replay' | 'appeal' | 'shadow' | null;
  opened_at: string;
  forgotten_at: string | null;
  /** When whoever holds it last said so; null for what is older than this column. */
  seen_at: string | null;
  /** What stopped it, as JSON; null while nothing has. */
  problem: string | null;
}

/** What is known about an item beside what it says: gone when its content is forgotten. */
export interface Contexts {
  debate: string;
  version: number;
  opened_at: string;
  author: string | null;
  thread: string | null;
  context: string;
}

export interface EntryRows {
  id: Generated<number>;
  debate: string;
  key: string;
  input_hash: string;
  version: number;
  entry: string;
  created_at: string;
}

/** What was sent to a model for a turn and what came back, without its long texts. */
export interface CallRows {
  debate: string;
  key: string;
  input_hash: string;
  position: number;
  version: number;
  call: string;
  kept_at: string;
}

/** Pieces of prompts and replies, compressed, each once. */
export interface CallTexts {
  hash: string;
  data: Uint8Array;
}

/** Which debates need which pieces. */
export interface CallParts {
  debate: string;
  hash: string;
}

export interface Verdicts {
  debate: string;
  version: number;
  label: string;
  risk: number | null;
  bar: number | null;
  escalate: number;
  rule: string;
  categories: string;
  degraded: number;
  modality: string | null;
  /** What the policy asks for, and how grave it is; null for what is older, and where there is no policy. */
  action: string | null;
  severity: string | null;
  /** Null when the content was forgotten. */
  answer: string | null;
  seal: string;
  closed_at: string;
}

/**
 * What lists of cases are filtered by, in their order and so narrow that all of it can be walked through for a page.
 */
export interface Listing {
  opened_at: string;
  id: string;
  job: string;
  run: string | null;
  /** Whether a person has decided. */
  decided: number;
  /** Of the verdict, like the others down to the categories; null while there is none. */
  label: string | null;
  escalate: number;
  degraded: number;
  modality: string | null;
  /** These three stand here only. */
  disagreement: number | null;
  models: string;
  categories: string;
  /** Likewise; stands here only. */
  clauses: string;
  /** Of its context, or told by its first words where a queue asks for it. The channel goes with its content. */
  language: string | null;
  channel: string | null;
  /** Whether it was judged in the shadow of another: no list and no figure has it. */
  shadow: number;
  /** The letter pairs of `search`, and null like it; never read back, since they are larger than a number can be. */
  pairs_1: bigint | null;
  pairs_2: bigint | null;
  pairs_3: bigint | null;
  pairs_4: bigint | null;
  /** The excerpt in lower case; null when it was forgotten. */
  search: string | null;
  /** Of the verdict, like the next; null where nothing was said or measured. */
  risk: number | null;
  bar: number | null;
  cost_usd: number | null;
  latency_ms: number | null;
  /** Likewise: what is proposed, and how grave it is. */
  action: string | null;
  severity: string | null;
  /** Whether people review such cases; 0 while there is no verdict. */
  reviewed: number;
  /** How much a person is needed, 0 to 1. */
  urgency: number;
  /**
   * Where it stands with its reviewers; null for what needs none: nobody is unsure, it is a replay, a document, or
   * forgotten.
   */
  stage: 'first' | 'second' | 'dispute' | 'done' | null;
  /** The queue that it waits in, or waited in. */
  queue: string;
  /** By when it should be decided; a moment that never comes where there is none. */
  due_at: string;
  /** Whether the machine was sure, and a quality sample drew it. */
  sampled: number;
  /** Who is to decide it next. */
  assigned: string | null;
  /**
   * Of a case that is this row and no other, like the three below: what it shares with others of its set-up; null where
   * a case has rows of its own.
   */
  setup: number | null;
  /** The hash of what was judged. */
  subject: Uint8Array | null;
  /** Its answer, what was judged, and what else no column says. */
  packed: Uint8Array | null;
  /** Likewise, of its context: of a case with rows of its own these stand with them. */
  author: string | null;
  thread: string | null;
}
