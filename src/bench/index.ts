export { readLabelledData, type DataOptions, type LabelledData } from './data-file.ts';
export type { BenchSystem, Judgement } from './system.ts';
export { openResults, type BenchResults } from './results.ts';
export { runSystem, type RunSystemOptions, type SystemRun } from './run-system.ts';
export { benchReport, type BenchReport, type CategoryReport, type SystemReport } from './report.ts';
export type { Metrics } from './measure.ts';
export { fitCalibration } from './calibrate.ts';
