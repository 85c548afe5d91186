import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import type { Ledger } from '@agonhq/ledger';

/** How far a file was read: which file it was, and where. */
export const filePosition = z.object({
  version: z.literal(1),
  /** Files that were read under this name so far: each is a partition of its own. */
  generation: z.int().min(0),
  /** The file itself, whatever it is called by now. */
  inode: z.string(),
  /** How it begins: the hash of so many bytes. */
  head: z.object({ bytes: z.int().min(0), hash: z.string() }),
  offset: z.int().min(0),
});
export type FilePosition = z.infer<typeof filePosition>;

/** Where it is kept how far a file was read. */
export interface PositionStore {
  read(): Promise<FilePosition | null>;
  keep(position: FilePosition): Promise<void>;
}

/** Beside the output. */
export function keepInFile(file: string): PositionStore {
  return {
    async read() {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      return text === null ? null : parsePosition(text, file);
    },
    async keep(position) {
      // Whole or not at all: a crash leaves the one before.
      await writeFile(`${file}.new`, `${JSON.stringify(position)}\n`);
      await rename(`${file}.new`, file);
    },
  };
}

/** In the ledger, under the name of the stream. */
export function keepInLedger({ streams }: Pick<Ledger, 'streams'>, stream: string): PositionStore {
  return {
    async read() {
      const kept = await streams.findPosition(stream);
      return kept === undefined ? null : parsePosition(JSON.stringify(kept.position), `the ledger (${stream})`);
    },
    keep: (position) => streams.keepPosition(stream, position),
  };
}

/** Nowhere: each time it begins anew. */
export const keepNowhere: PositionStore = { read: async () => null, keep: async () => undefined };

function parsePosition(text: string, place: string): FilePosition {
  try {
    return filePosition.parse(JSON.parse(text));
  } catch (cause) {
    throw new AgonError(
      'bad-stream',
      `How far the stream was read cannot be read from ${place}.`,
      'Remove it to begin anew: what was judged is recalled from the ledger.',
      { cause },
    );
  }
}
