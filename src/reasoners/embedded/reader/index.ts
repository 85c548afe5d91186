export { locateReader, openReader, readerDigest, readerModel } from './open-reader.ts';
export { readerHeads, type PassageReading } from './reader.ts';
export type { FactRecord } from './record-sequence.ts';
