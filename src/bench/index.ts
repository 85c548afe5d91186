export {
  readBenchData,
  readContentData,
  readExchangeData,
  type BenchData,
  type BenchDataOptions,
  type BenchItem,
  type ContentDataOptions,
  type ExchangeDataOptions,
  type LabelledData,
} from './datasets/read-dataset.ts';
export {
  checkFile,
  hasFindings,
  leakageNotes,
  leakageOf,
  shippedTrainedOn,
  type Counted,
  type FileCheck,
  type Leakage,
  type SourceLeaks,
  type TrainedOn,
} from './datasets/check/index.ts';
export { dataFormats } from './datasets/formats/index.ts';
export type { LabelledContent } from './datasets/labelled-content.ts';
export type { LabelledExchange } from './datasets/labelled-exchange.ts';
export type { LabelledItem, Naming } from './datasets/labelled-item.ts';
export type { BenchJob, ScoreSheet, SheetItem, SheetOutcome, SystemSheet } from './result.ts';
export type { Comparison, Gain, Receipt, SetFigures } from './figures/set-figures.ts';
export type { BenchSystem, Contender, Judgement, OpenSystem } from './systems/system.ts';
export { openResults, type BenchResults } from './systems/results.ts';
export { runSystem, type SystemRun } from './systems/run-system.ts';
export { offTheRecord } from './systems/system-entry.ts';
export { assertCountable, type ContenderOptions } from './systems/open-systems.ts';
export { openModerationContenders, moderationSystems } from './systems/moderation-contenders.ts';
export { openEvaluationContenders, evaluationSystems } from './systems/evaluation-contenders.ts';
export { claimSystems } from './systems/claim-contenders.ts';
export { moderationReport, type ModerationReport, type ModerationSystemReport } from './moderation-report.ts';
export type { SystemFigures } from './system-figures.ts';
export type { Intervals, Metrics } from './metrics/measure.ts';
export { fitCalibration } from './calibration/fit-calibration.ts';
export type { Evaluator, EvaluatorRuns } from './evaluation/evaluator.ts';
export { evaluationReport, type EvaluationReport, type EvaluationSystemReport } from './evaluation/report.ts';
export { fitReferenceOn } from './evaluation/fit-reference.ts';
export { documentsReport, type DocumentsReport, type DocumentsSystemReport } from './documents/index.ts';
export { runExperiment, type BatchRun, type Learner, type Learnt } from './learning/experiment.ts';
export { learningReport, type LearningReport } from './learning/report.ts';
export { learningMarkdown, learningPage, textChart } from './learning/render.ts';
export {
  benchAnnotations,
  benchJunit,
  benchMarkdown,
  benchPage,
  checkThresholds,
  checkWords,
  comparisonWords,
  readThresholds,
  type MeasuredSet,
} from './report/index.ts';
export { ablation, ablationNames } from './plan/ablations.ts';
export { readBenchFile } from './plan/read-bench-file.ts';
export type { BenchPlan, PlannedSet } from './plan/bench-plan.ts';
export { summaryIn } from './plan/bench-record.ts';
export { leanBench, turnsOnRecord, type LeanBench, type LeanSet } from './plan/bench-overview.ts';
export { benchOnRecord, measureBench, type BenchedSet, type FreshSet, type JobReport } from './plan/measure-bench.ts';
export { whyNothing, type Watch } from './plan/measure-set.ts';
