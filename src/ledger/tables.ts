import type { Generated } from 'kysely';

/* The tables. JSON is text on both databases, so that what comes out is what went in; moments are ISO text; booleans are 0 and 1. */

export interface Policies {
  hash: string;
  version: number;
  name: string;
  policy_version: string;
  document: string;
  /** Null for what is older than this column. */
  kept_at: string | null;
}

export interface Activations {
  position: Generated<number>;
  policy: string;
  activated_by: string | null;
  activated_at: string;
}

export interface ApiKeys {
  id: string;
  version: number;
  name: string;
  secret_hash: string;
  scopes: string;
  reviewer: string | null;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export interface IdempotencyKeys {
  owner: string;
  key: string;
  request: string;
  location: string | null;
  state: 'running' | 'done';
  claimed_at: string;
}

export interface Webhooks {
  id: string;
  version: number;
  url: string;
  events: string;
  secret: string;
  created_at: string;
  disabled_at: string | null;
  problem: string | null;
}

export interface Deliveries {
  id: string;
  version: number;
  webhook: string;
  event: string;
  payload: string;
  state: 'waiting' | 'delivered' | 'failed';
  attempts: number;
  status: number | null;
  error: string | null;
  due_at: string | null;
  created_at: string;
  ended_at: string | null;
}

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

/** What lists of cases are filtered by, in their order and so narrow that all of it can be walked through for a page. */
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
  confidence: number | null;
  disagreement: number | null;
  models: string;
  categories: string;
  /** The letter pairs of `search`, and null like it; never read back, since they are larger than a number can be. */
  pairs_1: bigint | null;
  pairs_2: bigint | null;
  pairs_3: bigint | null;
  pairs_4: bigint | null;
  /** The excerpt in lower case; null when it was forgotten. */
  search: string | null;
  /** Of the verdict, like the next; null where nothing was said or measured. */
  score: number | null;
  probability: number | null;
  cost_usd: number | null;
  latency_ms: number | null;
  /** How much a person is needed, 0 to 1. */
  urgency: number;
  /** Where it stands with its reviewers; null for what needs none: nobody is unsure, it is a replay, a document, or forgotten. */
  stage: 'first' | 'second' | 'dispute' | 'done' | null;
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
  problem: string | null;
  total: number | null;
  started_at: string;
  ended_at: string | null;
}

export interface RunItems {
  run: string;
  position: number;
  version: number;
  key: string;
  hash: string;
  /** What is to be judged; null when it could not be read, and when it was judged: then it is the case's subject. */
  input: string | null;
  expected: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'same';
  same_as: number | null;
  attempts: number;
  worker: string | null;
  /** Not before this moment; null for at once. */
  due_at: string | null;
  case_id: string | null;
  label: string | null;
  score: number | null;
  escalate: number | null;
  decided_by: 'debate' | 'guard' | null;
  calls: number | null;
  input_tokens: number | null;
  output_tokens: number | null;
  cached_tokens: number | null;
  cost_usd: number | null;
  latency_ms: number | null;
  error: string | null;
  ended_at: string | null;
}

export interface RunAccounts {
  run: string;
  tokens: number;
  usd: number;
}

export interface Reservations {
  call: string;
  run: string;
  tokens: number;
  usd: number;
  settled: number;
}

export interface Benches {
  id: string;
  version: number;
  name: string;
  plan: string;
  state: 'running' | 'done' | 'stopped' | 'failed';
  started_at: string;
  ended_at: string | null;
  /** When something of it was last written. */
  touched_at: string;
}

export interface BenchJudgements {
  bench: string;
  /** As a text of JSON. */
  key: string;
  version: number;
  result: string;
}

export interface BenchAttachments {
  bench: string;
  name: string;
  version: number;
  value: string;
}

export interface AnnotationProjects {
  id: string;
  version: number;
  name: string;
  labels: string;
  votes: number;
  guidelines: string | null;
  created_by: string | null;
  created_at: string;
}

export interface AnnotationItems {
  project: string;
  position: number;
  version: number;
  key: string;
  content: string;
  /** How many votes there are; like the two below, what its votes and its adjudication come to. */
  voted: number;
  state: 'open' | 'disputed' | 'agreed' | 'adjudicated';
  label: string | null;
}

export interface AnnotationImages {
  project: string;
  position: number;
  number: number;
  name: string;
  attachment: string;
}

export interface AnnotationVotes {
  project: string;
  position: number;
  voter: string;
  version: number;
  label: string;
  why: string | null;
  viewed: string;
  took_ms: number | null;
  voted_at: string;
}

export interface AnnotationAdjudications {
  project: string;
  position: number;
  version: number;
  label: string;
  why: string;
  decided_by: string;
  decided_at: string;
}

/** Only on PostgreSQL, like the shares. */
export interface Workers {
  id: string;
  host: string;
  pid: number;
  version: string;
  concurrency: number;
  running: number;
  judged: number;
  failed: number;
  state: 'working' | 'draining';
  started_at: Date;
  seen_at: Date;
}

export interface Shares {
  model: string;
  worker: string;
  wanted: number;
  concurrency: number;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  until: Date;
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
  activations: Activations;
  api_keys: ApiKeys;
  idempotency_keys: IdempotencyKeys;
  webhooks: Webhooks;
  deliveries: Deliveries;
  attachments: Attachments;
  subjects: Subjects;
  subject_attachments: SubjectAttachments;
  debates: Debates;
  entries: Entries;
  verdicts: Verdicts;
  listing: Listing;
  decisions: Decisions;
  precedents: Precedents;
  precedent_vectors: PrecedentVectors;
  runs: Runs;
  run_items: RunItems;
  run_accounts: RunAccounts;
  reservations: Reservations;
  benches: Benches;
  bench_judgements: BenchJudgements;
  bench_attachments: BenchAttachments;
  annotation_projects: AnnotationProjects;
  annotation_items: AnnotationItems;
  annotation_images: AnnotationImages;
  annotation_votes: AnnotationVotes;
  annotation_adjudications: AnnotationAdjudications;
  workers: Workers;
  shares: Shares;
  cache: Cache;
  meta: Meta;
}
