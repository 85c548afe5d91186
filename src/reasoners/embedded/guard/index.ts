export { guardFolder, openGuard, type GuardModel } from './guard.ts';
export { guardHeads, type GuardHead, type GuardReading } from './reading.ts';
