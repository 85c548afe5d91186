export type { MeasuredSet } from './block.ts';
export type { BenchReportOptions } from './set-blocks.ts';
export { renderBenchPage } from './render-page.ts';
export { renderBenchMarkdown } from './render-markdown.ts';
export { renderJunit, renderAnnotations } from './ci-reports.ts';
export { checkThresholds, describeCheck, readThresholds, type CheckedThreshold, type Threshold } from './thresholds.ts';
export { describeComparison } from './blocks/comparisons.ts';
