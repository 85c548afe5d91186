export type {
  AnswerCache,
  AttachmentStore,
  ImportReport,
  Ledger,
  LedgerLine,
  LedgerStats,
  PruneOptions,
  PruneReport,
} from './ledger.ts';
export type {
  Attachment,
  AttachmentRow,
  Case,
  CaseFilter,
  Cases,
  CaseSummary,
  ClosedDossier,
  OpenedCase,
  Page,
  StoredVerdict,
  WordsOfCase,
} from './cases.ts';
export type {
  Adjudication,
  AnnotationItem,
  AnnotationProgress,
  AnnotationProject,
  AnnotationState,
  AnnotationStore,
  AnnotationVote,
  NewAnnotationItem,
} from './annotations.ts';
export type { BenchJudgement, BenchRow, BenchState, BenchStore } from './benches.ts';
export type { Decision, Decisions, NewDecision, RecordOptions } from './decisions.ts';
export type { ReviewStage, SecondReview } from './review-stage.ts';
export type { ReviewFilter, Reviews, WaitingCase, WaitingStage } from './reviews.ts';
export type { CaseFigures, DecidedCase, Figures, FigureSlice } from './figures.ts';
export type { Fleet, Share, ShareClaim, WorkerBeat, WorkerRow } from './fleet.ts';
export type { ItemQueue, QueueOptions, TakenItem } from './item-queue.ts';
export type {
  CallCost,
  ItemError,
  ItemResult,
  ItemState,
  ItemUsage,
  NewRunItem,
  PutReport,
  RunCounts,
  RunItem,
  RunRow,
  RunState,
  RunStore,
} from './runs.ts';
export type {
  ApiKeyRow,
  DeliveryOutcome,
  DeliveryRow,
  IdempotencyRecord,
  IdempotencyStore,
  KeyStore,
  PolicyRow,
  PolicyStore,
  WebhookRow,
  WebhookStore,
} from './server-records.ts';
export { ledgerPlace, placeOf, type LedgerPlace } from './ledger-place.ts';
export { openLedger } from './open-ledger.ts';
export { patiently, type Patience } from './patient.ts';
