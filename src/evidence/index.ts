export type { Range, Source } from './source.ts';
export { normalise } from './normalise.ts';
export { locate } from './locate.ts';
export { refusalWords } from './refusal.ts';
export { holds, verifyQuotes, type Evidence } from './verify.ts';
