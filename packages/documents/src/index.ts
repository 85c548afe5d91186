export * from './document.ts';
export { parseSourceName } from './grounding/source-name.ts';
export * from './numbers/index.ts';
export {
  claimLabels,
  type AbsenceSearch,
  type Analysis,
  type Claim,
  type ClaimAnswer,
  type ClaimLabel,
  type ClaimSubject,
  type DocumentsProvenance,
  type Outlook,
  type ClaimSelection,
} from './analysis.ts';
export {
  speakers as documentSpeakers,
  type CrossExamination,
  type Factors,
  type Opening,
  type OutlookAnswer,
  type Rebuttal,
  type Synthesis,
  type ZeroShot,
} from './answers.ts';
export type { DocumentCaseFile, FactorCaseFile, OutlookCaseFile, ZeroShotCaseFile } from './case-file.ts';
export * from './plan.ts';
export type { AnalysisEvent, AnalysisSetup, AnalyzeOptions } from './setup.ts';
export { analysis } from './analyze.ts';
export { buildDocumentsProvenance } from './provenance.ts';
export { ground, type Grounding } from './grounding/ground-citation.ts';
export { judgeOpening } from './verdicts/judge-opening.ts';
export { listOwnRisks } from './verdicts/decide-outlook.ts';
export { describeUnread, writePlainBrief } from './verdicts/write-brief.ts';
export { describePersonVerdict, findPersonVerdict, listAlike, type PersonVerdict } from './view.ts';
export { describeClaimLabel, describeOutlook, listTouchedFindings } from './view.ts';
export { findingFilters, findingSorts } from './findings/arrange-findings.ts';
export { claimRules } from './verdicts/claim-rules.ts';
export { analysisSchema, readAnalysis } from './analysis-schema.ts';
export { verifyAnalysis } from './verify-analysis.ts';
export { ingestDocument } from './ingest/index.ts';
export { documentsJob } from './job.ts';
export { analysisRequestSchema } from './request.ts';
export { documentsSettings, limitsFrom } from './settings.ts';
export type { Documents } from './open-documents.ts';
