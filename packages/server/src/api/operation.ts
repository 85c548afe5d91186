import type { z } from 'zod';
import { byId } from './schemas/common.ts';

/** What a key may be used for. Each is granted by itself; `admin` grants all of them. */
export const scopes = ['read', 'judge', 'review', 'care', 'admin'] as const;
export type Scope = (typeof scopes)[number];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Files that come with a request as multipart/form-data, beside its fields. */
export interface Upload {
  /** The part that holds a file; it may come several times. */
  name: string;
  /** How many files at least and at most. */
  least: number;
  most: number;
  description: string;
}

/** One operation of the HTTP API, as data: the server mounts it, the document describes it, the client calls it. */
export interface Operation {
  /** `moderations.create`: the group and the verb of the client. */
  id: string;
  method: Method;
  /** `/api/cases/{id}`. */
  path: string;
  summary: string;
  description?: string;
  /** Null for what anybody may ask. */
  scope: Scope | null;
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** JSON; with `upload` its members are the fields of the form. */
  body?: z.ZodType;
  upload?: Upload;
  /** One of the lines that its body is made of, where it is answered while it is still being read. */
  lines?: z.ZodType;
  /** What it answers when it went well. `media` names it where it is not JSON. */
  answers: { status: 200 | 201 | 202 | 204; schema?: z.ZodType; media?: readonly string[]; description: string };
  /** The data of its events, where it also answers `Accept: text/event-stream`; `only` when it answers nothing else. */
  events?: z.ZodType;
  onlyEvents?: boolean;
  /** Takes an `Idempotency-Key`. */
  idempotent?: boolean;
  /** Beyond 400, 401, 403, 404 (with an id), 413, 429 and 503, which any operation may answer. */
  problems?: readonly number[];
  example?: unknown;
}

type Details = Omit<Operation, 'id' | 'method' | 'path' | 'scope'>;

type PathParams<Path extends string> = Path extends `${string}{id}${string}` ? { params: typeof byId } : object;

/** Keeps the types of an operation's schemas while it checks its shape. An `{id}` in a path is one like all others. */
export function operation<
  const Id extends string,
  const By extends Method,
  const Path extends string,
  const Needs extends Scope | null,
  const Given extends Details,
>(id: Id, method: By, path: Path, scope: Needs, given: Given) {
  const params = (path.includes('{id}') ? { params: byId } : {}) as PathParams<Path>;
  return { id, method, path, scope, ...params, ...given };
}

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : undefined;

/** What a handler is given: everything has been read through the operation's schemas. */
export interface Asked<Of extends Operation> {
  params: Output<Of['params']>;
  query: Output<Of['query']>;
  body: Output<Of['body']>;
}

/** What a caller gives and gets. */
export interface Called<Of extends Operation> {
  params: Input<Of['params']>;
  query: Input<Of['query']>;
  body: Input<Of['body']>;
  answer: Output<Of['answers']['schema']>;
  event: Output<Of['events']>;
}
