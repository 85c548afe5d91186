import { open, readdir, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '@agonhq/engine/agon-error';
import { sha256 } from '@agonhq/engine/hash';
import type { FilePosition, PositionStore } from './position.ts';
import { createLineSplitter, readLineRecord, type SplitLine } from './split-lines.ts';
import type { OnNote, StreamSource, StreamRecord } from '../stream.ts';

const lookMs = 250;
const chunkBytes = 64 * 1024;
/** So much of a file's beginning tells it from another. */
const headBytes = 256;

interface FollowFileOptions {
  positions: PositionStore;
  onNote: OnNote;
}

/** A file, and how far it was read. Those that were read under one name are counted: each is a partition. */
interface OpenFile {
  handle: FileHandle;
  place: string;
  generation: number;
  inode: string;
  head: FilePosition['head'];
  /** Behind the last record that was taken from it, and the last that is with the sink. */
  taken: number;
  done: number;
}

/**
 * The lines of a file that grows, from where its reader stopped. A file that was moved away is read to its end before
 * the one that took its place.
 */
export async function followFile(file: string, { positions, onNote }: FollowFileOptions): Promise<StreamSource> {
  let current = await openAt(file, await positions.read(), onNote);
  /** Those of which something is not yet with the sink, the oldest first; the last is read. */
  const files = [current];
  const ended = new AbortController();

  function* take(lines: readonly SplitLine[]): Generator<StreamRecord, void, void> {
    for (const line of lines) {
      const record = readLineRecord(String(current.generation), line);
      if (!record) continue;
      current.taken = record.next;
      yield record;
    }
  }

  /** The lines of one file, until it is moved away or cut off. */
  async function* readCurrent(signal: AbortSignal): AsyncGenerator<StreamRecord, void, void> {
    let at = current.taken;
    const lines = createLineSplitter(at);
    for (let isLeft = false, hasWaited = false; !signal.aborted && !ended.signal.aborted;) {
      const buffer = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await current.handle.read(buffer, 0, buffer.length, at);
      // It may have been written anew meanwhile, and be longer than it was.
      if (hasWaited && bytesRead > 0 && !(await isSame(current.handle, { head: current.head, offset: at }))) return;
      hasWaited = false;
      at += bytesRead;
      if (current.head.bytes < headBytes && bytesRead > 0) current.head = await readHead(current.handle, headBytes);
      yield* take(lines.push(buffer.subarray(0, bytesRead)));
      if (bytesRead > 0) continue;
      // Nobody writes the rest of a line any more.
      if (isLeft) return yield* take(lines.end());
      const state = await findState(file, current, at);
      if (state === 'cut-off') return;
      // What was written just before it was moved away is read first.
      isLeft = state === 'moved';
      hasWaited = !isLeft;
      if (hasWaited) await pause(lookMs, undefined, { signal }).catch(() => undefined);
    }
  }

  return {
    name: file,
    async *records(signal) {
      while (!signal.aborted && !ended.signal.aborted) {
        yield* readCurrent(signal);
        const next = await openNext(file, current, onNote, signal);
        if (!next) return;
        files.push((current = next));
      }
    },
    async commit(last) {
      for (const record of last)
        files.find(({ generation }) => String(generation) === record.partition)!.done = record.next;
      while (files.length > 1 && files[0]!.done >= files[0]!.taken) await files.shift()!.handle.close();
      const { generation, inode, head, done: offset } = files[0]!;
      await positions.keep({ version: 1, generation, inode, head, offset });
    },
    async close() {
      ended.abort();
      for (const { handle } of files) await handle.close();
    },
  };
}

/** The file that is there; or the one that was read last, where that is found under another name. */
async function openAt(file: string, kept: FilePosition | null, onNote: OnNote): Promise<OpenFile> {
  const found = await openFile(file, kept?.generation ?? 0);
  if (!kept) return found;
  if (await isSame(found.handle, kept)) return { ...found, taken: kept.offset, done: kept.offset };
  const moved = await findMoved(file, kept);
  if (moved) {
    await found.handle.close();
    onNote(`${file} was moved to ${moved.place} since: the rest of that one is read first.`);
    return moved;
  }
  onNote(
    `${file} is not the file that was read last, or was cut off since: it is read from its start. What may have been ` +
      'left of the other is not found.',
  );
  return { ...found, generation: kept.generation + 1 };
}

/** The file that took the place of one that was moved away, or the same from its start; null after an abort. */
async function openNext(
  file: string,
  { generation, place, inode }: OpenFile,
  onNote: OnNote,
  signal: AbortSignal,
): Promise<OpenFile | null> {
  for (let isStated = false; !signal.aborted;) {
    const next = await openFile(file, generation + 1).catch((error: unknown) => {
      if (AgonError.is(error) && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') return null;
      throw error;
    });
    if (next) {
      const isCut = place === file && next.inode === inode;
      onNote(
        isCut
          ? `${file} was cut off: it is read from its start.`
          : `${file} is a new file: the one before it was read to its end, and this one is read from its start.`,
      );
      return next;
    }
    if (!isStated) onNote(`${file} is gone: waiting for a new one.`);
    isStated = true;
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

async function openFile(file: string, generation: number): Promise<OpenFile> {
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    const reason = { ENOENT: 'there is no such file', EACCES: 'permission denied' }[error.code ?? ''] ?? error.message;
    throw new AgonError('unreadable-file', `${file} cannot be read: ${reason}.`, hint, { cause: error });
  });
  const status = await handle.stat({ bigint: true });
  if (status.isFile()) {
    const head = await readHead(handle, headBytes);
    return { handle, place: file, generation, inode: String(status.ino), head, taken: 0, done: 0 };
  }
  await handle.close();
  throw new AgonError('unreadable-file', `${file} is not a file.`, hint);
}

const hint =
  'Name a file that lines are appended to, - for standard input, kafka://HOST:9092/TOPIC or postgres://…?table=TABLE.';

async function readHead(handle: FileHandle, bytes: number): Promise<FilePosition['head']> {
  const buffer = Buffer.alloc(Math.max(1, bytes));
  const { bytesRead } = await handle.read(buffer, 0, bytes, 0);
  return { bytes: bytesRead, hash: sha256(buffer.subarray(0, bytesRead)) };
}

/** Whether a file is the one that was read so far, as its beginning and its length tell. */
async function isSame(handle: FileHandle, { head, offset }: Pick<FilePosition, 'head' | 'offset'>): Promise<boolean> {
  const { size } = await handle.stat();
  return size >= offset && (await readHead(handle, head.bytes)).hash === head.hash;
}

/** A file beside it that is the one which was read last. */
async function findMoved(file: string, kept: FilePosition): Promise<OpenFile | null> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name);
    const status = await stat(place, { bigint: true }).catch(() => null);
    if (!status?.isFile() || String(status.ino) !== kept.inode) continue;
    const found = await openFile(place, kept.generation);
    if (await isSame(found.handle, kept)) return { ...found, taken: kept.offset, done: kept.offset };
    await found.handle.close();
  }
  return null;
}

async function findState(
  file: string,
  { handle, place, inode, head }: OpenFile,
  offset: number,
): Promise<'same' | 'moved' | 'cut-off'> {
  const status = await stat(file, { bigint: true }).catch(() => null);
  if (place !== file || String(status?.ino) !== inode) return 'moved';
  return (await isSame(handle, { head, offset })) ? 'same' : 'cut-off';
}
