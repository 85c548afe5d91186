export type { MeasuredSet } from './measured-set.ts';
export type { BenchReportOptions } from './set-blocks.ts';
export { benchPage } from './bench-page.ts';
export { benchMarkdown } from './bench-markdown.ts';
export { benchJunit } from './junit.ts';
export { benchAnnotations } from './annotations.ts';
export { checkThresholds, checkWords, readThresholds, type CheckedThreshold, type Threshold } from './thresholds.ts';
export { comparisonWords } from './blocks/comparisons.ts';
