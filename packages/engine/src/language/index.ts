export { detectLanguage, nameLanguage } from './detect-language.ts';
export { isEnglish, isRiskWord, isWord, listEnglish, rankWords } from './english-words.ts';
export { findUnreadable, measureReadability, type Readability } from './readability.ts';
