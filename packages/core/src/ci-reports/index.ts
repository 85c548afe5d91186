export type { CiCheck } from './check.ts';
export { checkItem, checkNothing, type JudgedItem } from './check-items.ts';
export { renderAnnotations } from './render-annotations.ts';
export { renderJunit } from './render-junit.ts';
export { renderSummary } from './render-summary.ts';
export { renderSarif } from './render-sarif.ts';
