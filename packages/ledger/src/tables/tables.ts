import type * as rows from './rows.ts';

/*
 * The tables. JSON is text on both databases, so that what comes out is what went in; moments are ISO text; booleans
 * are 0 and 1.
 */

export type * from './rows.ts';

export interface Tables {
  policies: rows.Policies;
  activations: rows.Activations;
  api_keys: rows.ApiKeys;
  idempotency_keys: rows.IdempotencyKeys;
  stream_positions: rows.StreamPositions;
  webhooks: rows.WebhookRows;
  deliveries: rows.Deliveries;
  watch_rules: rows.WatchRules;
  alerts: rows.Alerts;
  shadows: rows.Shadows;
  shadow_pairs: rows.ShadowPairs;
  audit: rows.AuditRows;
  attachments: rows.Attachments;
  subjects: rows.Subjects;
  subject_attachments: rows.SubjectAttachments;
  debates: rows.Debates;
  contexts: rows.Contexts;
  entries: rows.EntryRows;
  calls: rows.CallRows;
  call_texts: rows.CallTexts;
  call_parts: rows.CallParts;
  verdicts: rows.Verdicts;
  setups: rows.Setups;
  listing: rows.Listing;
  batches: rows.Batches;
  decisions: rows.DecisionRows;
  queues: rows.QueueRows;
  overdue_told: rows.OverdueTold;
  corrections: rows.Corrections;
  finding_edits: rows.FindingEditRows;
  precedents: rows.PrecedentRows;
  precedent_vectors: rows.PrecedentVectors;
  runs: rows.Runs;
  run_items: rows.RunItemRows;
  run_accounts: rows.RunAccounts;
  reservations: rows.Reservations;
  benches: rows.Benches;
  bench_judgements: rows.BenchJudgements;
  bench_attachments: rows.BenchAttachments;
  annotation_projects: rows.AnnotationProjects;
  annotation_items: rows.AnnotationItems;
  annotation_images: rows.AnnotationImages;
  annotation_votes: rows.AnnotationVotes;
  annotation_adjudications: rows.AnnotationAdjudications;
  annotation_leases: rows.AnnotationLeases;
  workers: rows.Workers;
  shares: rows.Shares;
  pictures: rows.PictureRows;
  known_images: rows.KnownImageRows;
  legal_holds: rows.LegalHoldRows;
  record_leaves: rows.RecordLeaves;
  record_trees: rows.RecordTrees;
  checkpoints: rows.Checkpoints;
  cache: Cache;
  teams: rows.Teams;
  rate_portions: rows.RatePortions;
  ended_sessions: rows.EndedSessionRows;
  review_leases: rows.ReviewLeaseRows;
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
