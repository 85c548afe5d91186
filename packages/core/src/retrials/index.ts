export { appeal, type AppealOptions } from './appeal.ts';
export { requireCase, findRetriedCase, requireJudgedCase, type JudgedCase } from './find-case.ts';
export { replay, type Change, type RetrialOptions } from './replay.ts';
export type { Outcome, Retrial } from './compare.ts';
