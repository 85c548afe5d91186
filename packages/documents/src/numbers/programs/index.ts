export { checkSentence, placeInContext, TableIndex, type SpokenSentence } from './check-programs.ts';
export { explainGap } from './explain-gap.ts';
export { isFiller } from './known-words.ts';
export type { Cover } from './read-statement.ts';
export { findNameWords } from './typed-table.ts';
