export { fitCalibration } from './calibration/fit-calibration.ts';
export { type Counted, hasFindings } from './datasets/check/check-data.ts';
export { checkFile, type FileCheck } from './datasets/check/check-file.ts';
export { loadTrainingFingerprints } from './datasets/check/fingerprints.ts';
export type { SourceLeaks } from './datasets/check/leakage.ts';
export { listFormats } from './datasets/formats.ts';
export { readDataset, type Dataset, type DatasetOptions, type LabelledData } from './datasets/read-dataset.ts';
export type { Comparison, DebateGains, SetFigures } from './figures/set-figures.ts';
export type { JobBench, BenchJobReport } from './job-bench.ts';
export { listJobBenches, requireJobBench } from './jobs/index.ts';
export type { DocumentsReport } from './jobs/documents/report.ts';
export type { EvaluationReport } from './jobs/evaluation/report.ts';
export { moderationBench } from './jobs/moderation/bench.ts';
export type { LabelledContent } from './jobs/moderation/labelled-content.ts';
export type { ModerationReport } from './jobs/moderation/report.ts';
export { openModerationSystems } from './jobs/moderation/systems.ts';
export {
  openSafetyResults,
  runSafetySystem,
  type SafetyJudgement,
  type SafetyResults,
  type SafetyRun,
  type SafetySystem,
  type SafetyItem,
} from './jobs/safety/run-safety.ts';
export { runExperiment, type BatchRun, type Learner, type Learnt } from './learning/experiment.ts';
export { learningBlock, renderLearningMarkdown, renderLearningPage } from './learning/render.ts';
export { buildLearningReport, type LearningReport } from './learning/report.ts';
export { readBenchOverview, readTurns, type BenchOverview, type SetOverview } from './plan/bench-overview.ts';
export { type BenchPlan, type PlannedSet, expandAblation } from './plan/bench-plan.ts';
export { findBenchId, readBenchSummary, startBenchRecord } from './plan/bench-record.ts';
export { loadCrossfits, type Crossfit } from './plan/crossfit.ts';
export { estimateBench } from './plan/estimate-bench.ts';
export { openPlannedSystems, readPlannedSets } from './plan/open-plan.ts';
export { measureBench, readBench, type FreshSet, type ReportedSet } from './plan/measure-bench.ts';
export { explainEmptyRun, type WatchRun } from './plan/measure-set.ts';
export { readBenchFile } from './plan/read-bench-file.ts';
export type { BenchBlock, BlockCell, BlockTable } from './report/block.ts';
export { listChecks } from './report/list-checks.ts';
export { renderBenchMarkdown } from './report/render-markdown.ts';
export { renderBenchPage } from './report/render-page.ts';
export { describeSet, terminalBlocks } from './report/set-blocks.ts';
export { checkThresholds, describeCheck, readThresholds } from './report/thresholds.ts';
export type { BenchResult, BenchItemResult, ResultItem, SystemResult } from './result.ts';
export { resolveScreening } from './screen/resolve-screening.ts';
export type { ResolveReport } from './screen/resolve-votes.ts';
export { runScreening } from './screen/run-screening.ts';
export type { ScreeningReport } from './screen/screen-items.ts';
export { assertTokensCountable } from './systems/open-systems.ts';
export { isOffered } from './systems/offered-systems.ts';
export { withoutLedger } from './systems/system-entry.ts';
export { readFigures, type BenchSystem } from './systems/system.ts';
