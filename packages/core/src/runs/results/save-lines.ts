import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { cannotWriteError } from '@agonhq/engine/items';

/** A file that appears when it is whole; a device or a pipe is written as lines come. */
export interface LineFile {
  /** A line with its end. */
  write(line: string): Promise<void>;
  /** The file is whole: it takes its name. */
  keep(): Promise<void>;
  /** It will not be: nothing is left of it. */
  drop(): Promise<void>;
}

const bufferSize = 1 << 16;

export async function openLineFile(file: string): Promise<LineFile> {
  const special = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  const part = special ? file : `${file}.part-${process.pid}`;
  const attempt = async <Result>(work: Promise<Result>): Promise<Result> =>
    work.catch((error: unknown) => {
      throw cannotWriteError(file, error, 'Choose another place with --out FILE.');
    });
  const handle = await attempt(open(part, special ? constants.O_WRONLY : 'w', 0o600));
  let buffered = '';
  const flush = async () => {
    const text = buffered;
    buffered = '';
    if (text !== '') await attempt(handle.writeFile(text));
  };
  return {
    async write(line) {
      buffered += line;
      if (special || buffered.length >= bufferSize) await flush();
    },
    async keep() {
      await flush();
      if (!special) await attempt(handle.sync());
      await handle.close();
      if (!special) await attempt(rename(part, file));
    },
    async drop() {
      await handle.close();
      if (!special) await rm(part, { force: true });
    },
  };
}

/** Writes lines into a file, all or none. Says how many. */
export async function saveLines(
  file: string,
  lines: AsyncIterable<string>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<number> {
  const out = await openLineFile(file);
  let count = 0;
  try {
    for await (const line of lines) {
      if (signal?.aborted)
        throw new AgonError('cancelled', 'It was stopped.', `Nothing was written to ${file}.`, {
          cause: signal.reason,
        });
      await out.write(line);
      count += 1;
    }
    await out.keep();
    return count;
  } catch (error) {
    await out.drop();
    throw error;
  }
}
