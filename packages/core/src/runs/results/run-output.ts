import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { cannotWriteError, readLines, type NumberedLine } from '@agonhq/engine/items';
import { lockOutput } from './output-lock.ts';
import { assertNamedForLines, isJsonRecord, type ResultRecord } from './result-file.ts';

/** Where the results of a run are written while it goes on. */
export interface RunOutput {
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the output of a run, empty: what is in it comes from the ledger, anew each time. One process at a time. A file
 * that holds anything but results is refused; so are results, unless the run is one that goes on.
 */
export async function openRunOutput(path: string, { resumed }: { resumed: boolean }): Promise<RunOutput> {
  assertNamedForLines(path);
  try {
    const file = await realpath(path).catch(() => path);
    // A device or a pipe holds nothing, and needs no lock.
    const special = await stat(file).then(
      (found) => !found.isFile() && !found.isDirectory(),
      () => false,
    );
    const release = special ? async () => {} : await lockOutput(file);
    try {
      if (!special) await assertReplaceable(file, resumed);
      const handle = await open(file, special ? constants.O_WRONLY : 'w');
      return outputTo(handle, file, release);
    } catch (error) {
      await release();
      throw error;
    }
  } catch (error) {
    throw AgonError.is(error) ? error : cannotWriteError(path, error);
  }
}

function outputTo(handle: FileHandle, file: string, release: () => Promise<void>): RunOutput {
  return {
    async write(record) {
      await handle.appendFile(`${JSON.stringify(record)}\n`).catch((error: unknown) => {
        throw cannotWriteError(file, error);
      });
    },
    async close() {
      await handle.close();
      await release();
    },
  };
}

async function assertReplaceable(file: string, resumed: boolean): Promise<void> {
  const first = await firstLineOf(file);
  if (first === undefined) return;
  if (!isJsonRecord(first))
    throw new AgonError(
      'not-results',
      `${file} is not a file of results.`,
      'Nothing was changed. Give another --out, or remove the file.',
    );
  if (!resumed)
    throw new AgonError(
      'output-exists',
      `${file} holds the results of another run.`,
      'Nothing was changed. Give another --out, or remove the file; `agon runs resume RUN --out FILE` goes on ' +
        'with a run.',
    );
}

/** Undefined when there is none. */
async function firstLineOf(file: string): Promise<NumberedLine | undefined> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!handle) return undefined;
  for await (const line of readLines(handle.createReadStream())) return line;
  return undefined;
}
