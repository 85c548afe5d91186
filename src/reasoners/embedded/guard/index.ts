export { guardFolder, openGuard, type GuardModel, type ReadOptions } from './guard.ts';
export { guardHeads, type GuardHead, type GuardReading, type GuardToken } from './reading.ts';
export { sentenceLogits } from './sentences.ts';
export { drivingSpans, type DrivingSpan, type DrivingSpansOptions } from './driving-spans.ts';
