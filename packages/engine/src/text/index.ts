export { findMatches, listWords, pattern, patternPart, tableByWord, wordSet } from './pattern.ts';
export { joinParts, partSeparator, splitMessageSentences, splitSentences, type TextRange } from './split-sentences.ts';
export { joinWithAnd, shorten, shortenCharacters, shortenWithin, toLabel, toOneLine } from './shorten.ts';
export {
  countShared,
  foldCase,
  isContentWord,
  joinPlainWords,
  listContentStems,
  splitPlainWords,
  splitWords,
  type Word,
  isCommonStem,
  tokenize,
  type WordToken,
} from './split-words.ts';
export { stemAll, stemWithIrregulars } from './stem-words.ts';
export { renderCsvRow, renderTextCell } from './render-csv.ts';
