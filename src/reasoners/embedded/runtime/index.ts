export type { WindowReading } from './batches.ts';
export { drivingSpans } from './driving-spans.ts';
export { openModel, type OpenModel } from './open-model.ts';
export { biasesOf, byHead, emptyTokens, highestOf, type Reading } from './reading.ts';
export { sentenceLogits } from './sentences.ts';
export { rememberReadings, shareReadings, type ReadOptions } from './share-readings.ts';
export { tokenizeText } from './tokenize-text.ts';
export type { Pieces } from './tokenizer.ts';
