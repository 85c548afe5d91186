export { openLineSink, nowhere } from './files/line-sinks.ts';
export { keepInFile, keepInLedger, keepNowhere, type PositionStore } from './files/position.ts';
export { createLineSplitter, readContent } from './files/split-lines.ts';
export { isFile, nameStream, openSink, openSource } from './open-stream.ts';
export { runStream, type Judged, type StreamCounts } from './run-stream.ts';
export type { Sink, Source, StreamRecord } from './stream.ts';
