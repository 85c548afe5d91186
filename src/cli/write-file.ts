import { writeFile } from 'node:fs/promises';
import { AgonError } from '../errors.ts';

/** Writes a file that a flag names; the hint says what to do when it cannot be written. */
export async function saveFile(file: string, content: string | Uint8Array, hint: string): Promise<void> {
  await writeFile(file, content).catch((error: unknown) => {
    throw cannotWrite(file, error, hint);
  });
}

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such folder',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
};

export function cannotWrite(file: string, error: unknown, hint: string): AgonError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new AgonError('cannot-write', `${file} cannot be written: ${reasons[code] ?? (code || message)}.`, hint, {
    cause: error,
  });
}
