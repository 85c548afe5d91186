import { constants, open } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../../../errors.ts';
import { cleanFileName } from './file-name.ts';
import { assertFileSize } from './file-size.ts';
import type { IngestLimits } from './raw.ts';

/** Reads a file whole, after checking that it is a file of a size that is read at all. */
export async function loadDocumentFile(
  file: string,
  limits: Partial<IngestLimits> = {},
): Promise<{ name: string; bytes: Uint8Array }> {
  // `.` and `reports/` have a name, too.
  const name = cleanFileName(path.resolve(file));
  // Opening a pipe would wait for its writer, beyond the reach of Ctrl-C.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((cause: unknown) => {
    throw unreadable(name, cause);
  });
  try {
    const status = await handle.stat();
    if (status.isDirectory())
      throw new AgonError('document-is-directory', `${name} is a folder, not a document.`, 'Name the files in it.');
    if (!status.isFile())
      throw new AgonError('unreadable-document', `${name} is not a regular file.`, {
        library: 'Name a document.',
        cli: `Name a document, or pipe it in: agon analyze - --name ${name}.`,
      });
    assertFileSize(name, status.size, limits);
    return { name, bytes: await handle.readFile() };
  } catch (cause) {
    throw AgonError.is(cause) ? cause : unreadable(name, cause);
  } finally {
    await handle.close();
  }
}

function unreadable(name: string, cause: unknown): AgonError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new AgonError('document-not-found', `There is no file ${name}.`, 'Check the path.', { cause });
  const why = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : String(code ?? cause);
  return new AgonError('unreadable-document', `${name} cannot be read: ${why}.`, `Check the permissions of ${name}.`, {
    cause,
  });
}
