import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { AgonError } from '../errors.ts';

/** Standard input as a text, without the line break that ends it. */
export async function readStandardInput(): Promise<string> {
  return decode(await buffer(process.stdin), 'Standard input').replace(/\r?\n$/, '');
}

/** A file as a text, or standard input for `-`. */
export async function readText(file: string): Promise<string> {
  return file === '-' ? decode(await buffer(process.stdin), 'Standard input') : decode(await readBytes(file), file);
}

/** A file as it is, or one line that says why it cannot be read. */
export async function readBytes(file: string): Promise<Uint8Array> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    const reason =
      { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[error.code ?? ''] ??
      error.message;
    throw new AgonError('unreadable-file', `${file} cannot be read: ${reason}.`, 'Check the path.', { cause: error });
  });
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AgonError(
      'binary-text',
      `${name} is not text in UTF-8.`,
      'Pass images with --image, and text as UTF-8.',
      { cause: error },
    );
  }
}
