import { open, realpath, stat, truncate } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { cannotWriteError } from '@agonhq/engine/items';
import { createLineSplitter } from './split-lines.ts';
import type { Sink, StreamRecord, StreamResult } from '../stream.ts';

/** So much of an output's end is looked at for results of records that come again: more than was ever in flight. */
const tailBytes = 16 * 2 ** 20;
const chunkBytes = 2 ** 20;

/**
 * Appends results to a file, one JSON object a line. What a crash left of a last line is taken away, and a result that
 * is there already is not written again.
 */
export async function openFileSink(place: string): Promise<Sink> {
  const file = await realpath(place).catch(() => place);
  const written = await readTail(file).catch(refuse);
  const handle = await open(file, 'a').catch(refuse);

  function refuse(error: unknown): never {
    throw AgonError.is(error)
      ? error
      : cannotWriteError(place, error, 'Make room or give another --out; a stream goes on where it stopped.');
  }

  return {
    name: place,
    has: (stream, record) => written.has(nameResult(stream, record)),
    async write(results) {
      await handle.appendFile(results.map((result) => `${JSON.stringify(result)}\n`).join('')).catch(refuse);
    },
    async flush() {
      await handle.datasync().catch((error: NodeJS.ErrnoException) => {
        // A pipe or a device keeps nothing.
        if (error.code !== 'EINVAL') refuse(error);
      });
    },
    close: () => handle.close(),
  };
}

/** The names of the last results of a file, which is cut off behind the last whole line. */
async function readTail(file: string): Promise<Set<string>> {
  const names = new Set<string>();
  const status = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!status?.isFile() || status.size === 0) return names;
  const handle = await open(file);
  try {
    let at = Math.max(0, status.size - tailBytes);
    const lines = createLineSplitter(at);
    // Where only the end is read, its first line is half a line.
    let isWhole = at === 0;
    const buffer = Buffer.alloc(chunkBytes);
    for (let read = 1; read > 0;) {
      ({ bytesRead: read } = await handle.read(buffer, 0, buffer.length, at));
      at += read;
      for (const { bytes } of lines.push(Buffer.from(buffer.subarray(0, read)))) {
        const name = isWhole && bytes ? readName(Buffer.from(bytes).toString()) : null;
        if (isWhole && name === null) throw notResults(file);
        isWhole = true;
        if (name !== null) names.add(name);
      }
    }
    if (lines.start < at) await truncate(file, lines.start);
    return names;
  } finally {
    await handle.close();
  }
}

function nameResult(stream: string, { partition, offset }: Pick<StreamRecord, 'partition' | 'offset'>): string {
  return `${stream}\0${partition}\0${offset}`;
}

function readName(line: string): string | null {
  try {
    const { stream, partition, offset } = JSON.parse(line) as Partial<StreamResult>;
    const isResult = typeof stream === 'string' && typeof partition === 'string' && typeof offset === 'number';
    return isResult ? nameResult(stream, { partition, offset }) : null;
  } catch {
    return null;
  }
}

/** Writes results as lines wherever `print` puts them. */
export function openLineSink(name: string, print: (lines: string) => Promise<void>): Sink {
  return {
    name,
    write: (results) => print(results.map((result) => `${JSON.stringify(result)}\n`).join('')),
    flush: async () => undefined,
    close: async () => undefined,
  };
}

/** For results that are kept in the ledger alone. */
export const nowhere: Sink = openLineSink('the ledger', async () => undefined);

function notResults(file: string): AgonError {
  return new AgonError(
    'not-results',
    `${file} is not a file of a stream's results.`,
    'Nothing was changed. Give another --out, or remove the file.',
  );
}
