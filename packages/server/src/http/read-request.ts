import type { Operation } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { readJson } from './read-json.ts';
import { readUpload, type UploadedFile } from './read-upload.ts';
import type { UploadSpace } from './upload-storage.ts';
import type { z } from 'zod';

/** A request, read through the schemas of its operation. */
export interface ReadRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  files: readonly UploadedFile[];
  /** Takes the files away. */
  dispose(): Promise<void>;
}

export interface ReadRequestOptions {
  params: Record<string, string>;
  queries: Record<string, readonly string[]>;
  limits: { bodyBytes: number; uploadBytes: number };
  /** Where files are spooled, and what there is room for. */
  folder: string;
  uploadSpace: UploadSpace;
}

export async function readRequest(
  request: Request,
  operation: Operation,
  options: ReadRequestOptions,
): Promise<ReadRequest> {
  const params = parseWith(operation.params, options.params, 'path');
  const query = parseWith(operation.query, assertSingleValues(options.queries), 'query');
  if (operation.upload) return { params, query, ...(await readForm(request, operation, options)) };
  // A body without a type is none.
  if (operation.lines && request.body !== null) assertMediaType(request, 'application/x-ndjson');
  const body =
    operation.body &&
    parseWith(operation.body, await readJsonBody(request, operation, options.limits.bodyBytes), 'body');
  return { params, query, body, files: [], dispose: async () => undefined };
}

async function readForm(
  request: Request,
  { upload, body }: Operation,
  { limits, folder, uploadSpace }: ReadRequestOptions,
): Promise<Pick<ReadRequest, 'body' | 'files' | 'dispose'>> {
  assertMediaType(request, 'multipart/form-data');
  const { fields, files, dispose } = await readUpload(request, {
    upload: upload!,
    mostBytes: limits.uploadBytes,
    folder,
    uploadSpace,
    signal: request.signal,
  });
  try {
    return { body: parseWith(body, fields, 'body'), files, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function readJsonBody(request: Request, { body }: Operation, mostBytes: number): Promise<unknown> {
  // A body of which every member may be left out may be left out itself.
  if (request.body === null && body!.safeParse({}).success) return {};
  assertMediaType(request, 'application/json');
  return readJson(request, mostBytes);
}

/** A name that comes twice is a mistake that is told, not a guess. */
function assertSingleValues(queries: Record<string, readonly string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(queries).map(([name, values]) => {
      if (values.length > 1)
        throw new AgonError('bad-request', `The query has ${name} ${values.length} times.`, 'Give it once.');
      return [name, values[0]!];
    }),
  );
}

function assertMediaType({ headers }: Request, type: string): void {
  const packed = headers.get('content-encoding') ?? 'identity';
  if (packed !== 'identity')
    throw new AgonError('wrong-media-type', 'The body is compressed.', 'Send it without Content-Encoding.');
  const given = (headers.get('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
  if (given === type || (type === 'application/json' && given.endsWith('+json'))) return;
  throw new AgonError(
    'wrong-media-type',
    given === '' ? 'The request does not say what its body is.' : `The body is ${given}.`,
    `Send Content-Type: ${type}.`,
  );
}

/** What a request holds, read by the schema of its operation; or in one line what is wrong with it. */
export function parseWith(schema: z.ZodType | undefined, value: unknown, place: 'path' | 'query' | 'body'): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const at = first!.path.map(String).join('.');
  throw new AgonError(
    'bad-request',
    `${{ path: 'The path', query: 'The query', body: 'The body' }[place]} is not ` +
      `valid${at === '' ? '' : `: ${at}`}: ${first!.message.replace(/\.$/, '')}.`,
    'GET /docs shows what this operation takes.',
  );
}
