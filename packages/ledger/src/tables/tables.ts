import type {
  AnnotationAdjudications,
  AnnotationImages,
  AnnotationItems,
  AnnotationLeases,
  AnnotationProjects,
  AnnotationVotes,
} from './annotation-tables.ts';
import type {
  Attachments,
  CallParts,
  CallRows,
  CallTexts,
  Contexts,
  Debates,
  EntryRows,
  Listing,
  SubjectAttachments,
  Subjects,
  Verdicts,
} from './case-tables.ts';
import type { Batches, Setups, Templates, TextCases, Texts } from './compact-tables.ts';
import type { Activations, Policies, PrecedentRows, PrecedentVectors } from './library-tables.ts';
import type { KnownImageRows, PictureRows } from './picture-tables.ts';
import type { Checkpoints, LegalHoldRows, RecordLeaves, RecordTrees } from './record-tables.ts';
import type {
  Corrections,
  DecisionRows,
  FindingEditRows,
  OverdueTold,
  QueueRows,
  ReviewLeaseRows,
} from './review-tables.ts';
import type {
  BenchAttachments,
  Benches,
  BenchJudgements,
  Reservations,
  RunAccounts,
  RunItemRows,
  Runs,
  Shares,
  Workers,
} from './run-tables.ts';
import type {
  ApiKeys,
  AuditRows,
  Deliveries,
  EndedSessionRows,
  IdempotencyKeys,
  RatePortions,
  StreamPositions,
  Teams,
  WebhookRows,
} from './server-tables.ts';
import type { Alerts, ShadowPairs, Shadows, WatchRules } from './watching-tables.ts';

/*
 * The tables. JSON is text on both databases, so that what comes out is what went in; moments are ISO text; booleans
 * are 0 and 1.
 */

export type * from './annotation-tables.ts';
export type * from './case-tables.ts';
export type * from './compact-tables.ts';
export type * from './library-tables.ts';
export type * from './picture-tables.ts';
export type * from './record-tables.ts';
export type * from './review-tables.ts';
export type * from './run-tables.ts';
export type * from './server-tables.ts';
export type * from './watching-tables.ts';

export interface Tables {
  policies: Policies;
  activations: Activations;
  api_keys: ApiKeys;
  idempotency_keys: IdempotencyKeys;
  stream_positions: StreamPositions;
  webhooks: WebhookRows;
  deliveries: Deliveries;
  watch_rules: WatchRules;
  alerts: Alerts;
  shadows: Shadows;
  shadow_pairs: ShadowPairs;
  audit: AuditRows;
  attachments: Attachments;
  subjects: Subjects;
  subject_attachments: SubjectAttachments;
  debates: Debates;
  contexts: Contexts;
  entries: EntryRows;
  calls: CallRows;
  call_texts: CallTexts;
  call_parts: CallParts;
  verdicts: Verdicts;
  setups: Setups;
  templates: Templates;
  texts: Texts;
  text_cases: TextCases;
  listing: Listing;
  batches: Batches;
  decisions: DecisionRows;
  queues: QueueRows;
  overdue_told: OverdueTold;
  corrections: Corrections;
  finding_edits: FindingEditRows;
  precedents: PrecedentRows;
  precedent_vectors: PrecedentVectors;
  runs: Runs;
  run_items: RunItemRows;
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
  annotation_leases: AnnotationLeases;
  workers: Workers;
  shares: Shares;
  pictures: PictureRows;
  known_images: KnownImageRows;
  legal_holds: LegalHoldRows;
  record_leaves: RecordLeaves;
  record_trees: RecordTrees;
  checkpoints: Checkpoints;
  cache: Cache;
  teams: Teams;
  rate_portions: RatePortions;
  ended_sessions: EndedSessionRows;
  review_leases: ReviewLeaseRows;
  meta: Meta;
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
