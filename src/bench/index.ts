export {
  readDataset,
  readContentData,
  readExchangeData,
  type Dataset,
  type DatasetOptions,
  type DatasetItem,
  type ContentDataOptions,
  type ExchangeDataOptions,
  type LabelledData,
} from './datasets/read-dataset.ts';
export {
  checkFile,
  hasFindings,
  describeLeakage,
  findLeakage,
  loadTrainingFingerprints,
  type Counted,
  type FileCheck,
  type Leakage,
  type SourceLeaks,
  type TrainingFingerprints,
} from './datasets/check/index.ts';
export { dataFormats } from './datasets/formats.ts';
export type { LabelledContent } from './jobs/moderation/labelled-content.ts';
export type { LabelledExchange } from './jobs/evaluation/labelled-exchange.ts';
export type { LabelledItem, Naming } from './datasets/labelled-item.ts';
export type { BenchJob, BenchResult, ResultItem, ItemResult, SystemResult } from './result.ts';
export type { Comparison, Gain, DebateGains, SetFigures } from './figures/set-figures.ts';
export type { BenchSystem, MeasuredSystem, Judgement, OpenSystem } from './systems/system.ts';
export { openResults, type BenchResults } from './systems/results.ts';
export { runSystem, type SystemRun } from './systems/run-system.ts';
export { withoutLedger } from './systems/system-entry.ts';
export { assertTokensCountable, type OpenSystemsOptions } from './systems/open-systems.ts';
export { openModerationSystems, moderationSystemNames } from './jobs/moderation/systems.ts';
export { openEvaluationSystems, evaluationSystemNames } from './jobs/evaluation/systems.ts';
export { claimSystemNames } from './jobs/documents/systems.ts';
export { buildModerationReport, type ModerationReport, type ModerationSystemReport } from './jobs/moderation/report.ts';
export type { SystemFigures } from './jobs/safety/system-figures.ts';
export type { Intervals, Metrics } from './jobs/safety/metrics.ts';
export { fitCalibration } from './calibration/fit-calibration.ts';
export type { Evaluator, EvaluatorRuns } from './jobs/evaluation/figures.ts';
export { buildEvaluationReport, type EvaluationReport, type EvaluationSystemReport } from './jobs/evaluation/report.ts';
export { fitReferenceFrom } from './jobs/evaluation/fit-reference.ts';
export { buildDocumentsReport, type DocumentsReport, type DocumentsSystemReport } from './jobs/documents/index.ts';
export { runExperiment, type BatchRun, type Learner, type Learnt } from './learning/experiment.ts';
export { buildLearningReport, type LearningReport } from './learning/report.ts';
export { renderLearningMarkdown, renderLearningPage, renderTextChart } from './learning/render.ts';
export {
  renderAnnotations,
  renderJunit,
  renderBenchMarkdown,
  renderBenchPage,
  checkThresholds,
  describeCheck,
  describeComparison,
  readThresholds,
  type MeasuredSet,
} from './report/index.ts';
export { expandAblation, ablationNames } from './plan/ablations.ts';
export { readBenchFile } from './plan/read-bench-file.ts';
export type { BenchPlan, PlannedSet } from './plan/bench-plan.ts';
export { readBenchSummary } from './plan/bench-record.ts';
export { readBenchOverview, readTurns, type BenchOverview, type SetOverview } from './plan/bench-overview.ts';
export { readBench, measureBench, type ReportedSet, type FreshSet, type JobReport } from './plan/measure-bench.ts';
export { explainEmptyRun, type WatchRun } from './plan/measure-set.ts';
