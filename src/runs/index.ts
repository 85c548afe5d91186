export { itemLines, openLines, type ItemLine } from './item-lines.ts';
export { readModerationItem } from './moderation-items.ts';
export { isMistake } from './mistakes.ts';
export { openResultFile, resultsIn, type ResultFile, type ResultRecord } from './result-file.ts';
export { runItems } from './run-items.ts';
export type { Progress } from './progress.ts';
export { testPolicy, type ClauseReport } from './test-policy.ts';
