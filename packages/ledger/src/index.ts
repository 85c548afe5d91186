export { replaceParts, findLedgerPlace, openLedger, parseLedgerPlace, type LedgerPlace } from './open-ledger.ts';
export type { Ledger, LedgerStats, PruneOptions, PruneReport } from './ledger.ts';
export { careForLedger, type LedgerCare } from './backup/care-for-ledger.ts';
export type { SnapshotHead, SnapshotPart } from './backup/snapshot.ts';
export type {
  StoredAttachment,
  AttachmentRow,
  Case,
  CaseFilter,
  CaseProblem,
  CaseSummary,
  UnrecordedCase,
  UnrecordedOpening,
  StoredVerdict,
} from './cases/cases.ts';
export type { KeptCall } from './calls/call-store.ts';
export type { DecidedCase, FigureSlice } from './cases/case-figures.ts';
export { commitTo, hashDescribedLeaf } from './records/leaves.ts';
export { computeRootOf, hashLeaf, verifyInclusion } from './records/merkle-tree.ts';
export type { ProvedLeaf } from './records/prove-records.ts';
export type { CaseOutcome } from './outcomes/outcome-store.ts';
export type { ForgottenAuthor } from './authors/plan-forgetting.ts';
export type { KnownRoot, RecordProblem, RecordsReport } from './records/audit-records.ts';
export type { KeptCheckpoint, Records, RecordsState } from './records/record-store.ts';
export type { TreeHead } from './records/sequence-leaves.ts';
export type { HoldActor, LegalHold } from './holds/holds.ts';
export type { CorrectionFilter, NewCorrection } from './reviews/correction-store.ts';
export type { Decision, NewDecision, RecordOptions } from './reviews/decision-store.ts';
export type { ReviewStage } from './reviews/review-stage.ts';
export { unknownQueue } from './reviews/queue-store.ts';
export type { NewQueue, QueueCounts, ReviewQueue, SampleQuality } from './reviews/queue-store.ts';
export type { ReviewFilter, WaitingCase } from './reviews/review-store.ts';
export type {
  Adjudication,
  AnnotationItem,
  AnnotationProgress,
  AnnotationProject,
  AnnotationVote,
  NewAnnotationItem,
  Rating,
} from './annotation/annotations.ts';
export type { AnnotatorFinding, FindingMark, Marking, RegionMark, SpanMark } from './annotation/findings.ts';
export type { BenchJudgement, BenchRow } from './benches/bench-store.ts';
export type {
  GridItem,
  GridOptions,
  GridPage,
  ItemError,
  ItemFilter,
  ItemResult,
  ItemState,
  ItemUsage,
  NewRunItem,
  RunCounts,
  RunItem,
  RunRow,
  RunState,
} from './runs/runs.ts';
export type { ItemQueue, QueueOptions, TakenItem, WorkerRow } from './runs/workers.ts';
export { auditMoment } from './server/audit-store.ts';
export type { Actor, AuditEntry, AuditFilter, AuditStore } from './server/audit-store.ts';
export type { IdempotencyStore } from './server/idempotency-store.ts';
export type { ApiKeyRow } from './server/key-store.ts';
export type { DeliveryOutcome, DeliveryRow, NewDelivery, WebhookRow, WebhookStore } from './server/webhook-store.ts';
export type { OverdueCase } from './reviews/take-overdue.ts';
export type { FoundImage, FoundState } from './pictures/known-image-store.ts';
export type { AlertRow, WatchRuleRow } from './watching/alert-store.ts';
export type { PairedDifference, ShadowRow } from './watching/shadow-store.ts';
export { createTally, type Measured, type WatchCounts } from './watching/watch-figures.ts';
export { isTeamName, locateTeam, teamConnections, teamExists, unknownTeam } from './teams/team-place.ts';
export type { TeamRow } from './teams/team-store.ts';
export type { ReviewLease } from './reviews/lease-store.ts';
export { withRetries } from './retry-ledger.ts';
export { gatherWrites } from './database/gather-writes.ts';
