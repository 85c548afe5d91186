import type { Generated } from 'kysely';

/* The tables. JSON is text on both databases, so that what comes out is what went in; moments are ISO text; booleans are 0 and 1. */

export interface Policies {
  hash: string;
  version: number;
  name: string;
  policy_version: string;
  document: string;
}

export interface Attachments {
  hash: string;
  media_type: string;
  data: Uint8Array;
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
  again_how: 'replay' | 'appeal' | null;
  opened_at: string;
  forgotten_at: string | null;
}

export interface Entries {
  id: Generated<number>;
  debate: string;
  key: string;
  input_hash: string;
  version: number;
  entry: string;
  created_at: string;
}

export interface Verdicts {
  debate: string;
  version: number;
  label: string;
  score: number | null;
  probability: number | null;
  escalate: number;
  rule: string;
  categories: string;
  degraded: number;
  modality: string | null;
  /** Null when the content was forgotten. */
  answer: string | null;
  seal: string;
  closed_at: string;
}

export interface Decisions {
  position: Generated<number>;
  id: string;
  version: number;
  case_id: string;
  label: 'safe' | 'unsafe';
  why: string | null;
  clause: string | null;
  decided_by: string;
  decided_at: string;
  learnt_at: string | null;
}

export interface Precedents {
  id: string;
  version: number;
  label: 'safe' | 'unsafe';
  category: string | null;
  state: 'active' | 'proposed' | 'retired' | 'overruled';
  /** The content it was learnt from. */
  subject: string | null;
  precedent: string;
  hash: string;
}

export interface PrecedentVectors {
  /** Of the library: a row of the ledger, or a seed. */
  precedent: string;
  model: string;
  data: Uint8Array;
  /** As pgvector reads it, where there is pgvector. */
  embedding?: string | null;
}

export interface Runs {
  id: string;
  version: number;
  name: string | null;
  job: string;
  configuration: string;
  settings: string;
  input: string | null;
  state: 'running' | 'stopped' | 'finished' | 'failed' | 'cancelled';
  started_at: string;
  ended_at: string | null;
}

export interface Cache {
  key: string;
  version: number;
  value: string;
  kept_at: string;
}

export interface Meta {
  key: string;
  value: string;
}

export interface Tables {
  policies: Policies;
  attachments: Attachments;
  subjects: Subjects;
  subject_attachments: SubjectAttachments;
  debates: Debates;
  entries: Entries;
  verdicts: Verdicts;
  decisions: Decisions;
  precedents: Precedents;
  precedent_vectors: PrecedentVectors;
  runs: Runs;
  cache: Cache;
  meta: Meta;
}
