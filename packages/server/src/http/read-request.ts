import type { Operation } from '../api/index.ts';
import { AgonError } from '@agonhq/engine/agon-error';
import { readJson } from './read-json.ts';
import { readUpload, type UploadedFile } from './read-upload.ts';
import type { UploadSpace } from './upload-storage.ts';
import { z } from 'zod';
import type { Jobs } from '@agonhq/judges/job';
import { knownJob } from '../api/schemas/common.ts';

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
  /** Those that a request may name. */
  jobs: Jobs;
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
  const query = parseWith(operation.query, assertSingleValues(options.queries), 'query', options.jobs);
  if (operation.upload) return { params, query, ...(await readForm(request, operation, options)) };
  // A body without a type is none.
  if (operation.lines && request.body !== null) assertMediaType(request, 'application/x-ndjson');
  const body =
    operation.body &&
    parseWith(operation.body, await readJsonBody(request, operation, options.limits.bodyBytes), 'body', options.jobs);
  return { params, query, body, files: [], dispose: async () => undefined };
}

async function readForm(
  request: Request,
  { upload, body }: Operation,
  { jobs, limits, folder, uploadSpace }: ReadRequestOptions,
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
    return { body: parseWith(body, fields, 'body', jobs), files, dispose };
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
export function parseWith(
  schema: z.ZodType | undefined,
  value: unknown,
  place: 'path' | 'query' | 'body',
  jobs?: Jobs,
): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value);
  const wrong = read.success
    ? jobs && findUnknownJob(schema, read.data, jobs)
    : { path: read.error.issues[0]!.path, message: read.error.issues[0]!.message };
  if (!wrong) return read.data;
  const at = wrong.path.map(String).join('.');
  throw new AgonError(
    'bad-request',
    `${{ path: 'The path', query: 'The query', body: 'The body' }[place]} is not ` +
      `valid${at === '' ? '' : `: ${at}`}: ${wrong.message.replace(/\.$/, '')}.`,
    'GET /docs shows what this operation takes.',
  );
}

interface Wrong {
  path: PropertyKey[];
  message: string;
}

/** Where a request names a job that this server must have, and has not. */
function findUnknownJob(schema: z.ZodType, value: unknown, jobs: Jobs): Wrong | undefined {
  if (schema === knownJob)
    return typeof value !== 'string' || jobs.find(value)
      ? undefined
      : { path: [], message: 'is no job of this server (GET /api/jobs)' };
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findUnknownJob(schema.unwrap() as z.ZodType, value, jobs);
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(schema.shape)) {
    const wrong = findUnknownJob(member, (value as Record<string, unknown>)[name], jobs);
    if (wrong) return { ...wrong, path: [name, ...wrong.path] };
  }
  return undefined;
}
