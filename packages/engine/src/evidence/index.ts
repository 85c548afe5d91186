export { normaliseText, type Range } from './normalise.ts';
export { createQuoteFinder, isEvidenceFaithful, verifyQuotes, type Evidence, type Source } from './verify-quotes.ts';
export { refusalWords } from './refusal.ts';
