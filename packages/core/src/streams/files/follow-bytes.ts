import { createLineSplitter, readLineRecord } from './split-lines.ts';
import type { StreamSource, StreamRecord } from '../stream.ts';

/**
 * The lines of bytes that come once and end: standard input. Their offsets are those of the bytes. They cannot be read
 * again, so that nothing is kept of how far they were.
 */
export function followBytes(name: string, partition: string, input: AsyncIterable<Uint8Array>): StreamSource {
  return {
    name,
    async *records() {
      const lines = createLineSplitter();
      const read = (line: Parameters<typeof readLineRecord>[1]): StreamRecord[] => {
        const record = readLineRecord(partition, line);
        return record ? [record] : [];
      };
      for await (const chunk of input) for (const line of lines.push(chunk)) yield* read(line);
      for (const line of lines.end()) yield* read(line);
    },
    commit: async () => undefined,
    close: async () => undefined,
  };
}
