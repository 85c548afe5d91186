import type {
  AnnotationAdjudications,
  AnnotationImages,
  AnnotationItems,
  AnnotationProjects,
  AnnotationVotes,
} from './annotation-tables.ts';
import type {
  Attachments,
  Debates,
  Decisions,
  Entries,
  Listing,
  Policies,
  Precedents,
  PrecedentVectors,
  SubjectAttachments,
  Subjects,
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
import type { Activations, ApiKeys, Deliveries, IdempotencyKeys, Webhooks } from './server-tables.ts';

/*
 * The tables. JSON is text on both databases, so that what comes out is what went in; moments are ISO text; booleans
 * are 0 and 1.
 */

export type * from './annotation-tables.ts';
export type * from './case-tables.ts';
export type * from './run-tables.ts';
export type * from './server-tables.ts';

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
