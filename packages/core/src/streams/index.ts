export { openLineSink, nowhere } from './files/line-sinks.ts';
export { keepInFile, keepInLedger, keepNowhere, type PositionStore } from './files/position.ts';
export { createLineSplitter, readLineContent } from './files/split-lines.ts';
export { isFile, nameStream, openSink, openSource } from './open-stream.ts';
export { runStream, type JudgedRecord, type StreamCounts } from './run-stream.ts';
export type { Sink, StreamSource, StreamRecord } from './stream.ts';
