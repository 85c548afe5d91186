import { AgonError } from '../agon-error.ts';

/** In one line, why a file cannot be written. */
export function cannotWriteError(
  file: string,
  error: unknown,
  hint = 'Make room or give another --out; a run goes on where it stopped.',
): AgonError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const known: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EISDIR: 'it is a folder',
    ENOENT: 'there is no such folder',
    EACCES: 'permission denied',
    EROFS: 'permission denied',
  };
  const reason = known[code] ?? (code || message);
  return new AgonError('cannot-write', `${file} cannot be written: ${reason}.`, hint, { cause: error });
}
