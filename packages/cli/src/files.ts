import { createReadStream } from 'node:fs';
import { access, constants, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { AgonError } from '@agonhq/engine/agon-error';
import { cannotWriteError } from '@agonhq/engine/items/cannot-write';

/** Standard input as a text, without the line break that ends it. */
export async function readStandardInput(): Promise<string> {
  return decode(await buffer(process.stdin), 'Standard input').replace(/\r?\n$/, '');
}

/** A text as it was typed, or standard input for `-`. */
export async function readTyped<Text extends string | undefined>(text: Text): Promise<Text | string> {
  return text === '-' ? readStandardInput() : text;
}

/** A file as a text, or standard input for `-`. */
export async function readTextFile(file: string): Promise<string> {
  return decodeInput(await readInputFile(file), file);
}

/** What `readInput` read, as a text. */
export function decodeInput(bytes: Uint8Array, file: string): string {
  return decode(bytes, file === '-' ? 'Standard input' : file);
}

/** A file as it is, or standard input for `-`. */
export async function readInputFile(file: string): Promise<Uint8Array> {
  return file === '-' ? buffer(process.stdin) : readFileBytes(file);
}

/** A file as it is, or one line that says why it cannot be read. */
export async function readFileBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: unknown) => {
    throw cannotRead(file, error);
  });
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgonError(
      'binary-text',
      `${name} is not UTF-8 text.`,
      'Pass images with --image, and save text as UTF-8.',
      { cause: error },
    );
  }
}

/** The lines of a file, or of standard input for `-`, one after the other, however large it is. */
export async function* readFileLines(file: string): AsyncGenerator<string, void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const piece of (file === '-' ? process.stdin : createReadStream(file)) as AsyncIterable<Uint8Array>) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop()!;
      yield* lines;
    }
    yield rest + decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) throw cannotRead(file, error);
    if (!(error instanceof TypeError)) throw error;
    throw new AgonError(
      'unreadable-file',
      `${file === '-' ? 'Standard input' : file} is not UTF-8 text.`,
      'Save it as UTF-8. Nothing was imported.',
      { cause: error },
    );
  }
}

function cannotRead(file: string, error: unknown): AgonError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason =
    { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[code] ?? message;
  return new AgonError('unreadable-file', `${file} cannot be read: ${reason}.`, 'Check the path.', { cause: error });
}

const mostBytes = 512 * 1024 * 1024;

/** How many non-empty lines a file has, for the time left; undefined where counting would take long. */
export async function countLines(file: string): Promise<number | undefined> {
  if ((await stat(file)).size > mostBytes) return undefined;
  let lines = 0;
  let blank = true;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (byte === 0x0a) {
        if (!blank) lines += 1;
        blank = true;
      } else if (byte > 0x20) blank = false;
    }
  }
  return blank ? lines : lines + 1;
}

/** Writes a file that a flag names; the hint says what to do when it cannot be written. */
export async function saveFile(
  file: string,
  content: string | Uint8Array,
  hint: string,
  { mode = 0o666 } = {},
): Promise<void> {
  await writeFile(file, content, { mode }).catch((error: unknown) => {
    throw cannotWriteError(file, error, hint);
  });
}

/** The same piece by piece, however large, for its owner's eyes only; the file appears when it is whole. */
export async function savePieces(file: string, pieces: AsyncIterable<Uint8Array>, hint: string): Promise<number> {
  const part = `${file}.part-${process.pid}`;
  let bytes = 0;
  const counted = async function* () {
    for await (const piece of pieces) {
      bytes += piece.length;
      yield piece;
    }
  };
  try {
    // On disk before it has its name: what appears is whole.
    await writeFile(part, counted(), { mode: 0o600, flush: true });
    await rename(part, file);
    return bytes;
  } catch (error) {
    await rm(part, { force: true });
    throw AgonError.is(error) || (error as Error).name === 'AbortError' ? error : cannotWriteError(file, error, hint);
  }
}

/** Fails where a report could not be written: before anything is judged for it. */
export async function assertReportWritable(file: string): Promise<void> {
  await access(path.dirname(path.resolve(file)), constants.W_OK).catch((error: unknown) => {
    throw cannotWriteError(file, error, 'Choose a folder that exists and is writable.');
  });
}

export async function saveReport(file: string, content: string | Uint8Array, hint: string): Promise<void> {
  await saveFile(file, content, hint);
  process.stderr.write(`Report: ${file}\n`);
}
