export type { WindowReading } from './batches.ts';
export { drivingSpans } from './driving-spans.ts';
export { openModel, openOnce, type OpenModel } from './open-model.ts';
export { assembleReading, type Reading } from './reading.ts';
export { sentenceLogits } from './sentences.ts';
export { rememberReadings, shareReadings, type ReadOptions } from './share-readings.ts';
export { tokenizeText, type Pieces } from './tokenizer.ts';
