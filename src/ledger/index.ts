export type { AnswerCache, AttachmentStore, ImportReport, Ledger, LedgerLine, LedgerStats, PruneOptions, PruneReport } from './ledger.ts';
export type { Attachment, Case, CaseFilter, Cases, CaseSummary, ClosedDossier, OpenedCase, Page, StoredVerdict } from './cases.ts';
export type { Decision, Decisions, NewDecision } from './decisions.ts';
export type { Fleet, Share, ShareClaim, WorkerBeat, WorkerRow } from './fleet.ts';
export type { ItemQueue, QueueOptions, TakenItem } from './item-queue.ts';
export type { CallCost, ItemError, ItemResult, ItemState, ItemUsage, NewRunItem, PutReport, RunCounts, RunItem, RunRow, RunState, RunStore } from './runs.ts';
export { ledgerPlace, placeOf, type LedgerPlace } from './ledger-place.ts';
export { openLedger } from './open-ledger.ts';
export { patiently, type Patience } from './patient.ts';
