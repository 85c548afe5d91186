export { affordable, heard } from './conduct/affordable.ts';
export { conductRun, type ConductRunOptions } from './conduct/conduct-run.ts';
export type { EndedItem, RunProgress } from './conduct/run-meter.ts';
export { datasetNameOf } from './conduct/note-expected.ts';
export { planRun, type PlanOptions, provenanceOf, newRunId, startRun } from './conduct/make-plan.ts';
export { planOf, type RunPlan } from './conduct/run-plan.ts';
export { workForFleet, type FleetWorker, type WorkerOptions } from './conduct/worker.ts';
export { attackTally, type AttackFigures } from './collect/attack-figures.ts';
export {
  answers,
  collector,
  probesOf,
  type CollectedExchange,
  type Evaluator,
  type Probe,
  openSteps,
} from './collect/collect.ts';
export { hardCaseOf, readAnnotations, writeHardCases, type HardCase } from './collect/hard-cases.ts';
export { readPrompts } from './collect/prompts.ts';
export { lockLearning, lockOutput } from './results/output-lock.ts';
export { isMistake } from './mistakes.ts';
export { openResultFile, resultsIn, type ResultFile, type ResultRecord } from './results/result-file.ts';
export { runItems, type Progress } from './run-items.ts';
export { testPolicy, type ClauseReport } from './test-policy.ts';
export { estimateRun, type EstimateOptions, type RunEstimate } from './estimate/index.ts';
export { diffRuns, type DiffOptions, type Flip, type RunDifference } from './review/diff-runs.ts';
export {
  endedItems,
  exportLines,
  recordOf,
  withCases,
  type EndedItemOnRecord,
  type ExportedRecord,
  type ExportOptions,
} from './results/export-results.ts';
export {
  impactOf,
  type ChangedCase,
  type ImpactOptions,
  type ImpactReport,
  type PastCases,
  type ClauseImpact,
} from './review/impact.ts';
export { planInWords, type PlanInWords } from './review/plan-in-words.ts';
export { findRun, runOnRecord } from './review/run-on-record.ts';
export { reportOn, type CascadeReport, type FailureKind, type Quality, type RunReport } from './review/run-report.ts';
export { csvRow, textCell } from './results/csv-cells.ts';
export { openLineFile, saveLines, type LineFile } from './results/save-lines.ts';
export { snapshotOf, type RunningRun, type Snapshot } from './review/watch-runs.ts';
export { followResults, type ResultsFollowed } from './results/follow-results.ts';
export {
  assertInputBegins,
  itemsFrom,
  readingOf,
  runItemsIn,
  type RunInputOptions,
  type RunItems,
  type RunReading,
} from './input/index.ts';
export { loadItems } from './conduct/load-items.ts';
export { openRunOutput, type RunOutput } from './results/run-output.ts';
export {
  constants,
  planCapacity,
  readCount,
  readDays,
  readShare,
  readTimes,
  type CapacityPlan,
  type PlanInput,
} from './capacity/index.ts';
export {
  cascadeOf,
  clearScore,
  decides,
  fitCascade,
  openCascade,
  openFirstTier,
  percent,
  scoreLabelled,
  sideOf,
  whyNoBand,
  type Cascade,
  type CascadeFit,
  type CascadeOptions,
  type GuardScores,
  type GuardTrial,
  type ScoredItem,
} from './cascade/index.ts';
