import { loadDocumentFile } from '../../jobs/documents/ingest/index.ts';
import { sha256 } from '../../hash.ts';
import type { Ledger } from '../../ledger/index.ts';
import { below } from '../../items/index.ts';
import type { StoredFile } from '../../jobs/index.ts';

/** The files that items name, as they wait in the ledger. */
export type ItemFiles = (file: string) => Promise<StoredFile>;

export interface FilesOptions {
  /** What paths are relative to; nothing outside it is reached. */
  root: string;
  /** What they are called in errors. */
  what: string;
  /**
   * Keeps them for workers on other machines. Without it they stay where they are, and are read when they are judged.
   */
  attachments?: Ledger['attachments'];
}

export function itemFiles({ root, what, attachments }: FilesOptions): ItemFiles {
  return async (file) => {
    const place = below(root, file, what);
    if (!attachments) return { file: place };
    const { name, bytes } = await loadDocumentFile(place);
    const { fileTypeFromBuffer } = await import('file-type');
    const hash = sha256(bytes);
    await attachments.keepAttachment({
      hash,
      mediaType: (await fileTypeFromBuffer(bytes))?.mime ?? 'application/octet-stream',
      data: bytes,
    });
    return { attachment: hash, name };
  };
}
