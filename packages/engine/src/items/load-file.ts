import { constants, open } from 'node:fs/promises';
import path from 'node:path';
import { AgonError } from '../agon-error.ts';
import { wordSet } from '../text/index.ts';

/** How large a file may be, in bytes: any, and one of text (JSON, Markdown …). */
export interface FileLimits {
  fileBytes: number;
  textBytes: number;
}

export const defaultFileLimits: FileLimits = { fileBytes: 200_000_000, textBytes: 50_000_000 };

/** Reads a file whole, after checking that it is a file of a size that is read at all. */
export async function loadFile(
  file: string,
  limits: Partial<FileLimits> = {},
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

const textExtensions = wordSet(`
  json jsonl ndjson html htm md markdown txt text`);

/** Refuses a file by its size, before a byte of it is read. */
export function assertFileSize(name: string, bytes: number, limits: Partial<FileLimits> = {}): void {
  const { fileBytes, textBytes } = { ...defaultFileLimits, ...limits };
  if (bytes === 0) throw new AgonError('empty-file', `${name} is empty.`, `Export or download ${name} again.`);
  assertWithin(name, bytes, textExtensions.has(readExtension(name)) ? Math.min(textBytes, fileBytes) : fileBytes);
}

export function assertTextSize(name: string, bytes: number, limits: FileLimits): void {
  assertWithin(name, bytes, limits.textBytes);
}

function assertWithin(name: string, bytes: number, limit: number): void {
  if (bytes <= limit) return;
  throw new AgonError(
    'document-too-large',
    `${name} has ${formatMegabytes(bytes)} MB; the limit is ${formatMegabytes(limit)} MB.`,
    `Split ${name}, or cut it to what is to be judged.`,
  );
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1, useGrouping: false });
}

const longest = 200;

/** The name of a file without its folders, safe to show: characters that would act are written out. */
export function cleanFileName(name: string): string {
  const base = name.split(/[/\\]/).at(-1)!.toWellFormed();
  const shown = base
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (character) => `[U+${character.codePointAt(0)!.toString(16).toUpperCase()}]`,
    )
    .trim();
  return shown === '' || shown === '.' || shown === '..' ? 'unnamed' : shown.slice(-longest);
}

/** `xlsx` of `Report.XLSX`; empty when there is none. */
export function readExtension(name: string): string {
  return /\.([a-z0-9]{1,8})$/iu.exec(name)?.[1]?.toLowerCase() ?? '';
}
