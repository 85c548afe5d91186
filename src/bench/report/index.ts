export type { MeasuredSet } from './block.ts';
export type { BenchReportOptions } from './set-blocks.ts';
export { benchPage } from './render-page.ts';
export { benchMarkdown } from './render-markdown.ts';
export { benchJunit, benchAnnotations } from './ci-reports.ts';
export { checkThresholds, checkWords, readThresholds, type CheckedThreshold, type Threshold } from './thresholds.ts';
export { comparisonWords } from './blocks/comparisons.ts';
