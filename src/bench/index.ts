export { readContentData, readExchangeData, type ContentDataOptions, type ExchangeDataOptions, type LabelledData } from './datasets/data-file.ts';
export type { LabelledContent } from './datasets/labelled-content.ts';
export type { LabelledExchange } from './datasets/labelled-exchange.ts';
export type { LabelledItem, Naming } from './datasets/labelled-item.ts';
export type { BenchSystem, Judgement } from './systems/system.ts';
export { openResults, type BenchResults } from './systems/results.ts';
export { runSystem, type SystemRun } from './systems/run-system.ts';
export { moderationReport, type ModerationReport, type ModerationSystemReport } from './moderation-report.ts';
export type { SystemFigures } from './system-figures.ts';
export type { Estimate, Intervals, Metrics } from './metrics/measure.ts';
export { fitCalibration } from './calibration/calibrate.ts';
export type { Evaluator, EvaluatorRuns } from './evaluation/evaluator.ts';
export { evaluationReport, type EvaluationReport, type EvaluationSystemReport } from './evaluation/report.ts';
export { fitReferenceOn } from './evaluation/fit-reference.ts';
export { evaluationMarkdown } from './evaluation/markdown.ts';
export { evaluationPage } from './evaluation/page.ts';
export {
  documentsReport, openClaimResults, readClaimData, runClaims,
  type ClaimData, type ClaimDataOptions, type ClaimRun, type ClaimSystem, type DocumentsReport, type DocumentsSystemReport,
} from './documents/index.ts';
export { runExperiment, type BatchRun, type Learner, type Learnt } from './learning/experiment.ts';
export { learningReport, type LearningReport } from './learning/report.ts';
export { learningMarkdown, learningPage } from './learning/render.ts';
export { textChart } from './learning/text-chart.ts';
