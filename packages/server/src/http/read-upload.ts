import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { Upload } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { cleanUploadName, createUniqueNames, type UploadSpace, makeUploadFolder } from './upload-storage.ts';

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
  /** What there is room for, with all other uploads. */
  uploadSpace: UploadSpace;
  signal: AbortSignal;
}

const most = { fields: 50, fieldBytes: 2 ** 20, nameCharacters: 100, headerBytes: 16 * 2 ** 10, spooling: 16 };

/**
 * Reads multipart/form-data as it comes: files go to disk, fields into memory. Whatever is wrong with it, nothing is
 * left behind.
 */
export async function readUpload(
  request: Request,
  { upload, mostBytes, folder, uploadSpace, signal }: UploadOptions,
): Promise<ReadUpload> {
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) throw tooLarge(mostBytes);
  const form = await openForm(request, upload);
  const place = await makeUploadFolder(folder);
  let size = 0;
  const dispose = async () => {
    await rm(place, { recursive: true, force: true });
    uploadSpace.give(size);
    size = 0;
  };
  const reading = readForm(form, upload, place);
  const onAbort = () => reading.fail(clientLeft());
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw clientLeft();
    for await (const chunk of readBody(request)) {
      uploadSpace.take(chunk.length);
      size += chunk.length;
      if (size > mostBytes) throw tooLarge(mostBytes);
      await reading.write(chunk);
    }
    const { fields, files } = await reading.end();
    if (files.length < upload.least)
      throw badUpload(
        files.length === 0
          ? 'The upload has no file.'
          : `The upload has ${files.length} of at least ${upload.least} files.`,
        `Send each as a part named ${upload.name}, with a file name: curl -F ${upload.name}=@FILE.`,
      );
    return { fields, files, dispose };
  } catch (error) {
    await reading.stop();
    await dispose();
    throw signal.aborted ? clientLeft() : explainDiskError(error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function openForm(request: Request, { most: files }: Upload): Promise<BusboyInstance> {
  try {
    return new Busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      preservePath: true,
      limits: {
        fields: most.fields,
        fieldSize: most.fieldBytes,
        files,
        parts: files + most.fields,
        headerSize: most.headerBytes,
        headerPairs: 50,
      },
    });
  } catch (error) {
    throw badUpload(
      'The content type names no boundary.',
      'Send multipart/form-data; boundary=…, as curl -F and FormData do.',
      error,
    );
  }
}

/** Puts the parts of a form where they belong. The first thing that goes wrong rejects whatever is awaited. */
function readForm(form: BusboyInstance, upload: Upload, place: string) {
  const fields = new Map<string, string | string[]>();
  const files: Promise<UploadedFile>[] = [];
  const spooling = new Set<Promise<unknown>>();
  const unique = createUniqueNames();
  const stopped = new AbortController();
  const failure = Promise.withResolvers<never>();
  const finished = Promise.withResolvers<void>();
  failure.promise.catch(() => undefined);
  const fail = (error: unknown) => failure.reject(error);

  form.on('field', (name: string | undefined, value, _, isCut) => {
    if (name === undefined || name === '' || name.length > most.nameCharacters)
      return fail(
        badUpload('A field has no name, or a very long one.', `A name has at most ${most.nameCharacters} characters.`),
      );
    if (isCut)
      return fail(
        badUpload(
          `The field ${JSON.stringify(name)} is larger than ${most.fieldBytes.toLocaleString('en')} bytes.`,
          'Send large values as a file.',
        ),
      );
    const before = fields.get(name);
    // Whether a name may come twice is for the schema to say.
    fields.set(name, before === undefined ? value : [before, value].flat());
  });
  form.on('file', (part: string | undefined, content, given: string | undefined) => {
    content.on('error', () => undefined);
    if (part !== upload.name) {
      content.resume();
      return fail(
        badUpload(
          `A file came as the part ${JSON.stringify((part ?? '').slice(0, most.nameCharacters))}.`,
          `Files come as parts named ${upload.name}.`,
        ),
      );
    }
    const own = `file-${files.length + 1}`;
    const name = unique(cleanUploadName(given ?? '', own));
    const spooled = writeFile(content, path.join(place, own), stopped.signal).then((kept) => ({ name, ...kept }));
    files.push(spooled);
    spooling.add(spooled);
    spooled.catch(fail).finally(() => spooling.delete(spooled));
  });
  form.on('filesLimit', () => fail(badUpload(`There are more than ${upload.most} files.`, 'Send fewer at once.')));
  for (const event of ['fieldsLimit', 'partsLimit'] as const)
    form.on(event, () =>
      fail(badUpload(`There are more than ${most.fields} fields.`, 'Send only what the operation takes.')),
    );
  form.on('error', (error: unknown) =>
    fail(
      badUpload(
        'The upload is not complete multipart/form-data.',
        'Send it as curl -F and FormData do, to its last boundary.',
        error,
      ),
    ),
  );
  form.on('finish', () => finished.resolve());

  return {
    fail,
    async write(chunk: Uint8Array): Promise<void> {
      await Promise.race([new Promise<void>((resolve) => form.write(chunk, () => resolve())), failure.promise]);
      // Of very many small files, a few are open at once.
      while (spooling.size > most.spooling) await Promise.race([Promise.race(spooling), failure.promise]);
    },
    async end(): Promise<{ fields: Record<string, unknown>; files: UploadedFile[] }> {
      form.end();
      await Promise.race([finished.promise, failure.promise]);
      const kept = await Promise.race([Promise.all(files), failure.promise]);
      await Promise.race([failure.promise, Promise.resolve()]);
      return { fields: Object.fromEntries(fields), files: kept };
    },
    /** Resolves when nothing is written any more. */
    async stop(): Promise<void> {
      stopped.abort();
      form.destroy();
      await Promise.allSettled(files);
    },
  };
}

async function writeFile(content: Readable, place: string, signal: AbortSignal): Promise<Omit<UploadedFile, 'name'>> {
  const digest = createHash('sha256');
  let bytes = 0;
  await pipeline(
    content,
    async function* hashed(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        digest.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(place, { flags: 'wx', mode: 0o600 }),
    { signal },
  );
  return { path: place, bytes, hash: `sha256:${digest.digest('hex')}` };
}

async function* readBody(request: Request): AsyncGenerator<Uint8Array, void, void> {
  try {
    for await (const chunk of request.body ?? []) yield chunk;
  } catch (error) {
    throw badUpload('The upload broke off.', 'Send it again.', error);
  }
}

function explainDiskError(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new AgonError(
      'full-disk',
      'The server has no disk space left for the upload.',
      "Free space on the server's disk, then send it again.",
      { cause: error },
    );
  return error;
}

function tooLarge(mostBytes: number): AgonError {
  return new AgonError(
    'upload-too-large',
    `The upload is larger than ${mostBytes.toLocaleString('en')} bytes.`,
    'Send less at once; server.uploadBytes sets the limit.',
  );
}

function badUpload(message: string, hint: string, cause?: unknown): AgonError {
  return new AgonError('bad-upload', message, hint, cause === undefined ? {} : { cause });
}

function clientLeft(): AgonError {
  return new AgonError('cancelled', 'The client disconnected during the upload.', 'Send it again.');
}
