export { appeal, type AppealOptions } from './appeal.ts';
export { caseOnRecord, findCase, judgedCase, type JudgedCase } from './case-on-record.ts';
export { replay, type Change, type RetrialOptions } from './replay.ts';
export type { Outcome, Retrial } from './compare.ts';
