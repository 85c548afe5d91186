export { estimateRun } from './estimate-run.ts';
export type { RunEstimate } from './run-estimate.ts';
