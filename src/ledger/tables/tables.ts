import type {
  Attachments,
  Contexts,
  CallParts,
  Calls,
  CallTexts,
  Corrections,
  FindingEdits,
  Debates,
  Decisions,
  Entries,
  KnownImages,
  Listing,
  OverdueTold,
  Pictures,
  Policies,
  Precedents,
  PrecedentVectors,
  Batches,
  Queues,
  Setups,
  SubjectAttachments,
  Subjects,
  Templates,
  Texts,
  Verdicts,
} from './case-tables.ts';
import type {
  BenchAttachments,
  Benches,
  BenchJudgements,
  Reservations,
  RunAccounts,
  RunItems,
  Runs,
  Shares,
  Workers,
} from './run-tables.ts';
import type { Checkpoints, LegalHoldRows, RecordLeaves, RecordTrees } from './record-tables.ts';
import type { Generated } from 'kysely';

/*
 * The tables. JSON is text on both databases, so that what comes out is what went in; moments are ISO text; booleans
 * are 0 and 1.
 */

export type * from './case-tables.ts';
export type * from './record-tables.ts';
export type * from './run-tables.ts';

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

export interface Teams {
  name: string;
  version: number;
  settings: string;
  created_at: string;
}

/** What is left of a limit that servers share: so many at a moment, in milliseconds. */
export interface RatePortions {
  owner: string;
  tokens: number;
  filled_at: number;
}

/** Sessions that were signed out of, by the hash of their token, until they would have ended; in milliseconds. */
export interface EndedSessions {
  token: string;
  ends_at: number;
  ended_at: number;
}

export interface ReviewLeases {
  case_id: string;
  reviewer: string;
  until: number;
}

export interface Tables {
  policies: Policies;
  activations: Activations;
  api_keys: ApiKeys;
  idempotency_keys: IdempotencyKeys;
  stream_positions: StreamPositions;
  webhooks: Webhooks;
  deliveries: Deliveries;
  watch_rules: WatchRules;
  alerts: Alerts;
  shadows: Shadows;
  shadow_pairs: ShadowPairs;
  audit: Audit;
  attachments: Attachments;
  subjects: Subjects;
  subject_attachments: SubjectAttachments;
  debates: Debates;
  contexts: Contexts;
  entries: Entries;
  calls: Calls;
  call_texts: CallTexts;
  call_parts: CallParts;
  verdicts: Verdicts;
  setups: Setups;
  templates: Templates;
  texts: Texts;
  listing: Listing;
  batches: Batches;
  decisions: Decisions;
  queues: Queues;
  overdue_told: OverdueTold;
  corrections: Corrections;
  finding_edits: FindingEdits;
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
  pictures: Pictures;
  known_images: KnownImages;
  legal_holds: LegalHoldRows;
  record_leaves: RecordLeaves;
  record_trees: RecordTrees;
  checkpoints: Checkpoints;
  cache: Cache;
  teams: Teams;
  rate_portions: RatePortions;
  ended_sessions: EndedSessions;
  review_leases: ReviewLeases;
  meta: Meta;
}

/* Datasets that people label. */

export interface AnnotationProjects {
  id: string;
  version: number;
  name: string;
  labels: string;
  votes: number;
  guidelines: string | null;
  marking: string | null;
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
  finding: string | null;
  voted_at: string;
}

export interface AnnotationAdjudications {
  project: string;
  position: number;
  version: number;
  label: string;
  why: string;
  finding: string | null;
  decided_by: string;
  decided_at: string;
}

/* What a server keeps. */

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

export interface StreamPositions {
  stream: string;
  version: number;
  position: string;
  moved_at: string;
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

/* What is watched. */

export interface WatchRules {
  id: string;
  version: number;
  rule: string;
  created_by: string | null;
  created_at: string;
  checked_at: string | null;
}

export interface Alerts {
  id: string;
  version: number;
  rule: string;
  /** Of the group that it is about; empty for all cases. */
  value: string;
  finding: string;
  raised_at: string;
  /** When receivers were told that it was raised, and that it ended. */
  told_at: string | null;
  /** Null while it stands. */
  ended_at: string | null;
  ended_told_at: string | null;
  acknowledged_by: string | null;
  acknowledged_at: string | null;
  note: string | null;
}

export interface Shadows {
  id: string;
  version: number;
  candidate: string;
  created_by: string | null;
  started_at: string;
  /** Null while it judges. */
  ended_at: string | null;
  why: string | null;
  dropped: number;
  failed: number;
  spent_usd: number;
}

export interface ShadowPairs {
  shadow: string;
  case_id: string;
  shadow_case: string;
  judged_at: string;
}

export interface Audit {
  id: string;
  version: number;
  at: string;
  who: string | null;
  key: string | null;
  operation: string;
  target: string | null;
  what: string;
  status: number;
  request: string;
}
