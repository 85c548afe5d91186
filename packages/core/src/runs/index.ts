export { conductRun, type ConductRunOptions } from './conduct/conduct-run.ts';
export { openStreamJudge } from './conduct/judge-stream.ts';
export type { RunProgress } from './conduct/run-meter.ts';
export { nameDataset } from './conduct/note-expected.ts';
export { planRun, findProvenance, createRunId, startRun } from './conduct/make-plan.ts';
export { readRunPlan, type RunPlan } from './conduct/run-plan.ts';
export { workForFleet, type FleetWorker } from './conduct/worker.ts';
export { shareLimits, workForTeams, type TeamAtWork } from './conduct/work-for-teams.ts';
export { tallyAttacks, type AttackFigures } from './collect/attack-figures.ts';
export {
  answers,
  createCollector,
  listProbes,
  type CollectedExchange,
  type CollectingEvaluator,
  type Probe,
  openSteps,
} from './collect/collect.ts';
export { describeHardCase, readAnnotations, writeHardCases, type HardCase } from './collect/hard-cases.ts';
export { readPrompts } from './collect/prompts.ts';
export { lockLearning, lockOutput } from './results/output-lock.ts';
export { isMistake } from './mistakes.ts';
export {
  assertNamedForLines,
  openResultFile,
  openRunOutput,
  readResults,
  type ResultFile,
  type ResultRecord,
  type RunOutput,
} from './results/result-file.ts';
export { runItems, type Progress } from './run-items.ts';
export { testPolicy, type ClauseReport } from './test-policy.ts';
export { estimateRun, type RunEstimate } from './estimate/index.ts';
export { diffRuns, type Flip, type RunDifference } from './review/diff-runs.ts';
export { makeGridRecord, renderGridLines } from './results/export-grid.ts';
export { renderExportLines, type ExportedRecord } from './results/export-results.ts';
export { measureImpact, type ImpactReport, type PastCases } from './review/measure-impact.ts';
export type { PlanDescription } from './review/describe-plan.ts';
export { findRun, requireRun } from './review/find-run.ts';
export { reportRun, type CascadeReport, type FailureKind, type Quality, type RunReport } from './review/run-report.ts';
export { openLineFile, saveLines, type LineFile } from './results/save-lines.ts';
export { takeSnapshot, type Snapshot } from './review/watch-runs.ts';
export { followResults } from './results/follow-results.ts';
export {
  assertInputBegins,
  openRunItems,
  parseRunReading,
  readRunItems,
  type RunItems,
  type RunReading,
} from './input/index.ts';
export { loadItems } from './conduct/load-items.ts';
export {
  createCascade,
  decideByCascade,
  fitCascade,
  openCascade,
  openFirstTier,
  percent,
  scoreLabelled,
  findSide,
  explainNoBand,
  type Cascade,
  type CascadeFit,
  type GuardScores,
  type GuardTrial,
  type ScoredItem,
} from './cascade/index.ts';
