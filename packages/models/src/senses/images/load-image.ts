import { open } from 'node:fs/promises';
import { AgonError } from '@agonhq/engine/agon-error';

const megabyte = 1_000_000;
const maxBytes = 20 * megabyte;

/** Reads an image file whole, after checking that it is a file of a sensible size. */
export async function loadImage(file: string): Promise<Uint8Array> {
  const handle = await open(file, 'r').catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  try {
    const status = await handle.stat();
    if (status.isDirectory()) {
      throw new AgonError('image-is-directory', `${file} is a folder, not an image.`, {
        library: 'Name one image file.',
        cli: 'Name one image file; repeat --image for more.',
      });
    }
    if (!status.isFile())
      throw new AgonError('unreadable-image', `${file} is not a regular file.`, 'Name an image file.');
    assertImageSize(status.size, file);
    return await handle.readFile();
  } catch (cause) {
    throw AgonError.is(cause) ? cause : unreadable(file, cause);
  } finally {
    await handle.close();
  }
}

export function assertImageSize(bytes: number, name: string): void {
  if (bytes === 0) throw new AgonError('empty-image', `${name} is empty.`, `Export or download ${name} again.`);
  if (bytes > maxBytes) {
    throw new AgonError(
      'image-too-large',
      `${name} has ${(bytes / megabyte).toFixed(1)} MB; the limit is ${maxBytes / megabyte} MB.`,
      `Scale ${name} down or compress it.`,
    );
  }
}

function unreadable(file: string, cause: unknown): AgonError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AgonError('image-not-found', `There is no file ${file}.`, 'Check the path of the image.', { cause });
  }
  if (code === 'EISDIR') {
    return new AgonError('image-is-directory', `${file} is a folder, not an image.`, 'Name one image file.', { cause });
  }
  const why = code === 'EACCES' || code === 'EPERM' ? 'permission denied' : String(code ?? cause);
  return new AgonError('unreadable-image', `${file} cannot be read: ${why}.`, `Check the permissions of ${file}.`, {
    cause,
  });
}
