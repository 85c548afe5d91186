export { findMatches, listWords, pattern, patternPart, tableByWord, wordSet } from './pattern.ts';
export { joinParts, partSeparator, splitMessageSentences, splitSentences, type TextRange } from './split-sentences.ts';
export { joinWithAnd, shorten, shortenCharacters, shortenWithin, toLabel, toOneLine } from './shorten.ts';
export * from './split-words.ts';
export { renderCsvRow, renderTextCell } from './render-csv.ts';
