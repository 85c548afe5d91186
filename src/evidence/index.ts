export type { Range, Source } from './source.ts';
export { normaliseText } from './normalise.ts';
export { locateQuote } from './locate.ts';
export { refusalWords } from './refusal.ts';
export { isEvidenceFaithful, verifyQuotes, type Evidence } from './verify.ts';
