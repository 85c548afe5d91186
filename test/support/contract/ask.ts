import { expect } from 'vitest';
import { openApiDocument, operations, schemas, type Operation } from '@agonhq/server/api';
import type { ServerUnderTest } from '../running-server.ts';

/** What a request holds beside its operation. */
export interface Given {
  params?: Record<string, string>;
  query?: Record<string, string>;
  json?: unknown;
  form?: FormData;
  headers?: Record<string, string>;
}

export const allOperations = operations as readonly Operation[];

interface Described {
  operationId: string;
  responses: Record<string, { content?: Record<string, unknown> }>;
}

const document = openApiDocument({ version: '0', server: 'http://127.0.0.1' }) as unknown as {
  paths: Record<string, Record<string, Described>>;
};

/** The operation as the OpenAPI document describes it. */
export function describedAs({ path, method }: Operation): Described {
  return document.paths[path]![method]!;
}

/** Asks over HTTP. */
export function ask(
  server: Pick<ServerUnderTest, 'url'>,
  { path, method }: Operation,
  { params = {}, query = {}, json, form, headers = {} }: Given = {},
): Promise<Response> {
  const where = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? 'nothing'));
  const search = new URLSearchParams(query).toString();
  return fetch(`${server.url}${where}${search && `?${search}`}`, {
    method: method.toUpperCase(),
    headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: json === undefined ? form : typeof json === 'string' ? json : JSON.stringify(json),
  });
}

/** The answer is one that the document names, of a media type that it names. */
export function expectDocumented(operation: Operation, response: Response): void {
  const described = describedAs(operation).responses;
  expect(Object.keys(described), `${operation.id} answered ${response.status}`).toContain(String(response.status));
  expect(response.headers.get('x-request-id'), operation.id).toMatch(/^[\w.-]{1,100}$/);
  const content = described[response.status]!.content;
  if (content === undefined) return;
  const type = typeOf(response);
  expect(
    Object.keys(content).some(
      (known) => known === type || (known.endsWith('/*') && type.startsWith(known.slice(0, -1))),
    ),
    `${operation.id} answered ${type}`,
  ).toBe(true);
}

/** It is told as RFC 9457 says, with a code and a hint, in a few words, and without what is nobody's business. */
export async function expectProblem(response: Response, about: string): Promise<schemas.Problem> {
  const text = await response.text();
  expect(response.status, `${about}: ${text.slice(0, 500)}`).toBeGreaterThanOrEqual(400);
  expect(response.status, `${about}: ${text.slice(0, 500)}`).toBeLessThan(500);
  expect(typeOf(response), about).toBe('application/problem+json');
  const problem = schemas.problem.parse(JSON.parse(text));
  expect(problem, about).toMatchObject({
    status: response.status,
    code: expect.stringMatching(/^[a-z][a-z0-9-]+$/),
    hint: expect.stringMatching(/\S/),
    detail: expect.stringMatching(/\S/),
  });
  expect(text.length, `${about}: a problem is told in a few words`).toBeLessThan(4_000);
  expect(text, about).not.toMatch(/node_modules|\bat .*\.[jt]s:\d+|SQLITE|select .* from/i);
  return problem;
}

export function typeOf(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';')[0]!.trim();
}
