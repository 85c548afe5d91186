import { createReadStream } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { AgonError } from '../errors.ts';

/** What a run writes for an item: its result, or why there is none. */
export interface ResultRecord {
  line: number;
  key: string;
  result?: unknown;
  error?: { code: string; message: string; hint: string };
}

export interface ResultFile {
  /** Keys of the items that already have a result. */
  done: ReadonlySet<string>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the output of a run. What an earlier run wrote is kept: its results are `done`; its errors, and a last line
 * that a crash cut short, are dropped so that those items are tried again. One process at a time.
 */
export async function openResultFile(file: string): Promise<ResultFile> {
  const release = await lock(file);
  let handle: FileHandle | undefined;
  try {
    const done = await keepResults(file);
    handle = await open(file, 'a');
    const out = handle;
    return {
      done,
      write: async (record) => {
        await out.appendFile(`${JSON.stringify(record)}\n`).catch((error: unknown) => {
          throw cannotWrite(file, error);
        });
      },
      close: async () => {
        await out.close();
        await release();
      },
    };
  } catch (error) {
    await handle?.close();
    await release();
    throw AgonError.is(error) ? error : cannotWrite(file, error);
  }
}

async function keepResults(file: string): Promise<Set<string>> {
  const done = new Set<string>();
  const existing = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!existing) return done;
  await existing.close();

  const kept = `${file}.resume-${process.pid}`;
  const copy = await open(kept, 'w');
  let dropped = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
      const record = recordOf(line);
      if (record?.result === undefined) {
        dropped += 1;
        continue;
      }
      done.add(record.key);
      await copy.appendFile(`${line}\n`);
    }
    await copy.sync();
  } finally {
    await copy.close();
  }
  if (dropped > 0) await rename(kept, file);
  else await rm(kept);
  return done;
}

function recordOf(line: string): ResultRecord | null {
  try {
    const record = JSON.parse(line) as Partial<ResultRecord> | null;
    return record && typeof record.key === 'string' ? (record as ResultRecord) : null;
  } catch {
    return null; // Cut short by a crash: the item is judged again.
  }
}

/** A lock file beside the output, which names the process that holds it; a dead holder's lock is taken over. */
async function lock(file: string): Promise<() => Promise<void>> {
  const lockFile = `${file}.lock`;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      const handle = await open(lockFile, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(lockFile, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw cannotWrite(file, error);
      const holder = await holderOf(lockFile);
      if (holder !== null && isAlive(holder)) {
        throw new AgonError('output-in-use', `${file} is being written by process ${holder}.`, 'Wait for it, or give another --out.');
      }
      await rm(lockFile, { force: true });
    }
  }
  throw new AgonError('output-in-use', `${file} is being written by another process.`, 'Wait for it, or give another --out.');
}

async function holderOf(lockFile: string): Promise<number | null> {
  const handle = await open(lockFile, 'r').catch(() => null);
  if (!handle) return null;
  const pid = Number.parseInt(await handle.readFile('utf8'), 10);
  await handle.close();
  return Number.isNaN(pid) ? null : pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function cannotWrite(file: string, error: unknown): AgonError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOSPC' ? 'the disk is full' : (code ?? message);
  return new AgonError('cannot-write', `${file} cannot be written: ${reason}.`, 'Make room or give another --out; a run goes on where it stopped.', { cause: error });
}
