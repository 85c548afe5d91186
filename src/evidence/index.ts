export type { Range, Source } from './source.ts';
export { normaliseText } from './normalise.ts';
export { locateQuote, isEvidenceFaithful, verifyQuotes, type Evidence } from './verify-quotes.ts';
export { refusalWords } from './refusal.ts';
