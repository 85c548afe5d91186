export { gatherBatches, layOutTokens, type WindowReading } from './batches.ts';
export { drivingSpans, rangeLogits, sentenceLogits } from './driving-spans.ts';
export { openModel, openEncoder, openOnce, type OpenModel } from './open-model.ts';
export { assembleReading, type EncoderReading } from './reading.ts';
export { rememberReadings, shareReadings, type SharedReadOptions } from './share-readings.ts';
export { tokenizeText, type Pieces } from './tokenizer.ts';
