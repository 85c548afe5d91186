export { itemLines, openLines, type ItemLine } from './item-lines.ts';
export { openResultFile, type ResultFile, type ResultRecord } from './result-file.ts';
export { runItems, type RunItemsOptions } from './run-items.ts';
export type { Progress } from './progress.ts';
export { testPolicy, type ClauseReport } from './test-policy.ts';
