export { gatherBatches, layOutTokens, type WindowReading } from './batches.ts';
export { drivingSpans, rangeLogits, sentenceLogits } from './driving-spans.ts';
export { openModel, openNetwork, openOnce, type OpenModel } from './open-model.ts';
export { assembleReading, type Reading } from './reading.ts';
export { rememberReadings, shareReadings, type ReadOptions } from './share-readings.ts';
export { tokenizeText, type Pieces } from './tokenizer.ts';
