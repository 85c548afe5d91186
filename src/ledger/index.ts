export type { AnswerCache, ImportReport, Ledger, LedgerLine, LedgerStats, PruneOptions, PruneReport } from './ledger.ts';
export type { Attachment, Case, CaseFilter, Cases, CaseSummary, ClosedDossier, OpenedCase, Page } from './cases.ts';
export type { Decision, Decisions, NewDecision } from './decisions.ts';
export type { RunRow, RunStore } from './runs.ts';
export { ledgerPlace, placeOf, type LedgerPlace } from './ledger-place.ts';
export { openLedger } from './open-ledger.ts';
