import { stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ReadDossier } from '@agonhq/documents';
import { HasToLook, openDocumentReader, type DocumentReader, type ReaderLimits } from './document-reader.ts';
import type { AgonParts } from '../kits/index.ts';
import { createConcurrencyLimit } from '@agonhq/engine/concurrency-limit';

/** How documents are read: by a server, a worker of a fleet, and the command line. */
export interface DocumentReaders {
  readFiles(...asked: Parameters<NonNullable<AgonParts['readFiles']>>): Promise<ReadDossier>;
  close(): Promise<void>;
}

type ReadFiles = DocumentReaders['readFiles'];

/** Never only one, which a single document could hold for long. */
const atOnce = 2;

/** What most documents need, and what large ones do, and those whose pictures are looked at: one of them at a time. */
const servedLimits = { small: { memory: 512, seconds: 180 }, large: { memory: 1_024, seconds: 900 } };

/** Whoever names files of their own waits for hundreds of scanned pages, too, and has the machine to themselves. */
function findOwnLimits(): { small: ReaderLimits; large: ReaderLimits } {
  const half = Math.round(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 21);
  return { small: { memory: 1_024, seconds: 180 }, large: { memory: Math.max(1_024, half), seconds: 14_400 } };
}

/** What has more than this is large: a report of a hundred pages takes 350 MiB, a megabyte of PDF. */
const smallest = { bytes: 1_000_000, pages: 200, rows: 50_000 };

/**
 * Files are read in processes of their own, two at once: what is asked meanwhile is answered, and a hostile file takes
 * nothing down but its reader. With `own`, what is large may take half of the machine's memory, and hours.
 */
export function openDocumentReaders({ own = false }: { own?: boolean } = {}): DocumentReaders {
  const limits = own ? findOwnLimits() : servedLimits;
  const places = createConcurrencyLimit({ concurrency: atOnce });
  const largePlace = createConcurrencyLimit({ concurrency: 1 });
  const small = openReaderPool(limits.small);
  const large = openReaderPool(limits.large);

  /** Null when it turns out to be large. */
  async function readSmall(files: Parameters<ReadFiles>[0], options: Parameters<ReadFiles>[1]) {
    const leave = await places.enter(options.signal ?? never);
    const { pages = Infinity, rows = Infinity } = options.limits ?? {};
    const within = {
      ...options.limits,
      pages: Math.min(pages, smallest.pages),
      rows: Math.min(rows, smallest.rows),
    };
    try {
      return await small.use((reader) =>
        reader.read(files, { ...options, limits: within, mayLook: false }).catch((error: unknown) => {
          // One that was killed for what it took is not given more.
          if (error instanceof HasToLook || (reader.usable && isTooLarge(error))) return null;
          throw error;
        }),
      );
    } finally {
      leave();
    }
  }

  async function readLarge(files: Parameters<ReadFiles>[0], options: Parameters<ReadFiles>[1]) {
    const leaveLarge = await largePlace.enter(options.signal ?? never);
    try {
      const leave = await places.enter(options.signal ?? never);
      try {
        return await large.use((reader) => reader.read(files, options));
      } finally {
        leave();
      }
    } finally {
      leaveLarge();
    }
  }

  return {
    async readFiles(files, options) {
      // Whoever asks first looks at every picture.
      const isSmall = options.admit === undefined && (await countBytes(files)) <= smallest.bytes;
      return (isSmall && (await readSmall(files, options))) || readLarge(files, options);
    },
    async close() {
      await Promise.all([small.close(), large.close()]);
    },
  };
}

const never = new AbortController().signal;

function isTooLarge(error: unknown): boolean {
  return AgonError.is(error) && error.code === 'document-too-large';
}

/** A reader that has read so much is replaced: what its parsers hold on to goes with it. */
const mostReadings = 50;
/** One that nobody needs gives its memory back. */
const idleMs = 30_000;

/** Readers of one kind, kept for the next who needs one. */
function openReaderPool(readerLimits: ReaderLimits) {
  const idle = new Map<DocumentReader, { readings: number; timer: NodeJS.Timeout }>();

  function take(): { reader: DocumentReader; readings: number } {
    for (const [reader, { readings, timer }] of idle) {
      clearTimeout(timer);
      idle.delete(reader);
      if (reader.usable) return { reader, readings };
    }
    return { reader: openDocumentReader(readerLimits), readings: 0 };
  }

  function put(reader: DocumentReader, readings: number): void {
    if (!reader.usable || readings >= mostReadings) return void reader.close();
    const timer = setTimeout(() => {
      idle.delete(reader);
      void reader.close();
    }, idleMs);
    idle.set(reader, { readings, timer: timer.unref() });
  }

  return {
    async use<Result>(work: (reader: DocumentReader) => Promise<Result>): Promise<Result> {
      const { reader, readings } = take();
      try {
        return await work(reader);
      } finally {
        put(reader, readings + 1);
      }
    },
    async close(): Promise<void> {
      const readers = [...idle];
      idle.clear();
      for (const [, { timer }] of readers) clearTimeout(timer);
      await Promise.all(readers.map(([reader]) => reader.close()));
    },
  };
}

async function countBytes(files: Parameters<ReadFiles>[0]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) =>
      typeof file === 'string' ? ((await stat(file).catch(() => null))?.size ?? 0) : file.bytes.length,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
