import type { Upload } from '../../api/index.ts';

/** A file of a request, on disk until the answer was given. */
export interface UploadedFile {
  /** What it is called, without any folder. */
  name: string;
  /** Where it lies: in a folder of this request alone, under a name of the server's own. */
  path: string;
  bytes: number;
  /** `sha256:…` of what it holds. */
  hash: string;
}

export interface ReadUpload {
  fields: Record<string, unknown>;
  files: readonly UploadedFile[];
  /** Takes the files away. */
  dispose(): Promise<void>;
}

export interface UploadOptions {
  upload: Upload;
  /** Of all parts together. */
  mostBytes: number;
  /** Where files are spooled. */
  folder: string;
  signal: AbortSignal;
}

export async function readUpload(_request: Request, _options: UploadOptions): Promise<ReadUpload> {
  throw new Error('not written yet');
}
