import { availableParallelism } from 'node:os';
import { openReaderApart, type AgonParts, type ReaderApart } from '../app/index.ts';
import { openPlaces } from './concurrency-limit.ts';

/** How documents are read by a server. */
export interface ReadingRoom {
  readFiles: NonNullable<AgonParts['readFiles']>;
  close(): Promise<void>;
}

/** A thread that has read so much is replaced: what its parsers hold on to goes with it. */
const mostReadings = 50;

/**
 * Files are read in threads of their own, a few at once, and never only one, which a single document could hold for
 * long: what is asked meanwhile is answered, and a hostile file takes nothing down but its reader.
 */
export function openReadingRoom(atOnce = Math.max(2, Math.min(4, availableParallelism() - 1))): ReadingRoom {
  const places = openPlaces({ concurrency: atOnce });
  const idle: { reader: ReaderApart; readings: number }[] = [];
  const never = new AbortController().signal;
  return {
    async readFiles(files, options) {
      const end = await places.enter(options.signal ?? never);
      const { reader, readings } = idle.pop() ?? { reader: openReaderApart(), readings: 0 };
      try {
        return await reader.read(files, options);
      } finally {
        if (reader.usable && readings + 1 < mostReadings) idle.push({ reader, readings: readings + 1 });
        else void reader.close();
        end();
      }
    },
    async close() {
      await Promise.all(idle.splice(0).map(({ reader }) => reader.close()));
    },
  };
}
