export { loadReader, readerHeads, type PassageReading, type ProseReading, type Reader } from './reader.ts';
export type { FactRecord } from './record-sequence.ts';
