import { AgonError } from '@agonhq/engine/agon-error';
import type { StreamRecord, StreamSource } from '../stream.ts';

const newline = 0x0a;
/** A record may hold an image in base64. */
const longestLine = 32 * 2 ** 20;

/** A line, where it begins and where the next one does. Null where it is too long to be read. */
export interface SplitLine {
  start: number;
  end: number;
  bytes: Uint8Array | null;
}

/** Cuts bytes that come bit by bit into lines; half a line waits for its rest. */
export interface LineSplitter {
  push(chunk: Uint8Array): SplitLine[];
  /** What waits for its rest, as a line; nothing is left of it. */
  end(): SplitLine[];
  /** Where the line begins that is not yet whole. */
  readonly start: number;
}

export function createLineSplitter(from = 0, longest = longestLine): LineSplitter {
  let start = from;
  let at = from;
  let begun: Uint8Array[] = [];
  let held = 0;

  function cut(last: Uint8Array, end: number): SplitLine {
    const isLong = held + last.length > longest;
    const bytes = isLong ? null : begun.length === 0 ? last : Buffer.concat([...begun, last]);
    const line = { start, end, bytes };
    start = end;
    begun = [];
    held = 0;
    return line;
  }

  return {
    get start() {
      return start;
    },
    push(chunk) {
      const lines: SplitLine[] = [];
      let from = 0;
      for (let stop = chunk.indexOf(newline); stop !== -1; stop = chunk.indexOf(newline, from)) {
        lines.push(cut(chunk.subarray(from, stop), at + stop + 1));
        from = stop + 1;
      }
      at += chunk.length;
      const rest = chunk.subarray(from);
      held += rest.length;
      // Of a line that is too long, nothing is kept but its length.
      if (held > longest) begun = [];
      else if (rest.length > 0) begun.push(rest);
      return lines;
    },
    end: () => (held > 0 ? [cut(new Uint8Array(), at)] : []),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What a line says; a record that cannot be read is one with its error. */
export function readLineContent(bytes: Uint8Array | null): StreamRecord['content'] {
  if (bytes === null)
    return {
      error: new AgonError(
        'record-too-long',
        `The record is longer than ${longestLine / 2 ** 20} MiB.`,
        'Send large files by their names or addresses.',
      ),
    };
  try {
    return { text: utf8.decode(bytes).replace(/\r$/, '') };
  } catch (error) {
    return {
      error: new AgonError('broken-line', 'The record is not text in UTF-8.', 'Send UTF-8.', { cause: error }),
    };
  }
}

/** A line as a record; null for one with nothing in it. */
export function readLineRecord(partition: string, { start, end, bytes }: SplitLine): StreamRecord | null {
  const content = readLineContent(bytes);
  if ('text' in content && content.text.trim() === '') return null;
  return { partition, offset: start, next: end, key: null, content, bytes: bytes?.length ?? 0 };
}

/**
 * The lines of bytes that come once and end: standard input. Their offsets are those of the bytes. They cannot be read
 * again, so that nothing is kept of how far they were.
 */
export function followBytes(name: string, partition: string, input: AsyncIterable<Uint8Array>): StreamSource {
  return {
    name,
    async *records() {
      const lines = createLineSplitter();
      const read = (line: SplitLine) => readLineRecord(partition, line) ?? [];
      for await (const chunk of input) yield* lines.push(chunk).flatMap(read);
      yield* lines.end().flatMap(read);
    },
    commit: async () => undefined,
    close: async () => undefined,
  };
}
