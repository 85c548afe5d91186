import { z } from 'zod';
import { operations } from './operations/index.ts';
import type { Operation } from './operation.ts';
import { problem } from './schemas/index.ts';

type Json = Record<string, unknown>;

const requestId = { 'X-Request-Id': { description: 'Names the request in logs.', schema: { type: 'string' } } };

const problemsOf: Record<number, string> = {
  400: 'The request is malformed.',
  401: 'There is no key, or it is not known.',
  403: 'The key does not have the scope, the host or origin is not allowed, or the server does not allow this.',
  404: 'There is no such thing.',
  409: 'The thing is not in a state for this.',
  410: 'Its content was forgotten.',
  413: 'The request is too large.',
  415: 'The media type is not taken.',
  422: 'What was given cannot be judged or kept.',
  429: 'Too much at once: `Retry-After` says when to come again.',
  502: 'A model could not be reached, or did not answer.',
  503: 'The server drains, or its ledger does not answer.',
  504: 'It took too long.',
};

/**
 * The OpenAPI 3.1 document of the HTTP API, made of the schemas that requests are read by.
 *
 * @example openApiDocument({ version: '0.1.0', server: 'http://127.0.0.1:4100' })
 */
export function openApiDocument({ version, server }: { version: string; server: string }): Json {
  const components: Json = {};
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output') => jsonSchemaOf(schema, io, components);
  const paths: Record<string, Json> = {};
  for (const each of operations as readonly Operation[]) (paths[each.path] ??= {})[each.method] = described(each, schemaOf);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agon', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: 'Verdicts a person can check: specialised agents debate, every argument quotes evidence that code has verified, a judge applies written rules, and the whole trial is on record.',
    },
    servers: [{ url: server }],
    tags: [...new Set(operations.map(({ id }) => id.split('.')[0]!))].map((name) => ({ name })),
    security: [{ key: [] }, {}],
    paths,
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'A key of this server, as `agon keys create` makes it. On loopback none is needed unless the server says so.' } }, schemas: components },
  };
}

type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => unknown;

function described(of: Operation, schemaOf: SchemaOf): Json {
  const { id, summary, description, scope } = of;
  return {
    operationId: id,
    tags: [id.split('.')[0]],
    summary,
    ...(description ? { description } : {}),
    ...(scope === null ? { security: [] } : { 'x-agon-scope': scope }),
    ...parametersOf(of, schemaOf),
    ...bodyOf(of, schemaOf),
    responses: { [of.answers.status]: answerOf(of, schemaOf), ...problemAnswers(of, schemaOf) },
  };
}

function parametersOf({ params, query, events, idempotent }: Operation, schemaOf: SchemaOf): Json {
  const header = (name: string, description: string) => ({ name, in: 'header', required: false, description, schema: { type: 'string', maxLength: 500 } });
  const parameters = [
    ...membersOf(params, 'path', schemaOf),
    ...membersOf(query, 'query', schemaOf),
    ...(events ? [header('Last-Event-ID', 'The last event that was heard: the stream goes on after it.')] : []),
    ...(idempotent ? [header('Idempotency-Key', 'The same key with the same request is answered once: a second time it gets what the first got.')] : []),
  ];
  return parameters.length > 0 ? { parameters } : {};
}

function membersOf(group: z.ZodObject | undefined, place: 'path' | 'query', schemaOf: SchemaOf): Json[] {
  return Object.entries(group?.shape ?? {}).map(([name, member]) => {
    const schema = member as z.ZodType;
    return { name, in: place, required: place === 'path' || !schema.safeParse(undefined).success, schema: schemaOf(schema, 'input') };
  });
}

function bodyOf({ body, upload, example }: Operation, schemaOf: SchemaOf): Json {
  if (!body && !upload) return {};
  if (!upload) return { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body!, 'input'), ...(example === undefined ? {} : { example }) } } } };
  const files = { type: 'array', minItems: upload.least, maxItems: upload.most, description: upload.description, items: { type: 'string', format: 'binary' } };
  const fields = body ? [schemaOf(body, 'input')] : [];
  const form = { allOf: [...fields.map(opened), { type: 'object', required: [upload.name], properties: { [upload.name]: files } }] };
  return { requestBody: { required: true, content: { 'multipart/form-data': { schema: form } } } };
}

/** The fields of a form stand beside its files. */
function opened(schema: unknown): unknown {
  return schema;
}

function answerOf({ answers, events, onlyEvents }: Operation, schemaOf: SchemaOf): Json {
  const { schema, media, description, status } = answers;
  const content: Json = {};
  for (const type of media ?? (schema && !onlyEvents ? ['application/json'] : [])) content[type] = { schema: schema && type === 'application/json' ? schemaOf(schema, 'output') : type === 'application/json' ? {} : { type: 'string' } };
  if (events) content['text/event-stream'] = { schema: { type: 'string' }, 'x-agon-event': schemaOf(events, 'output') };
  return { description, headers: requestId, ...(status === 204 ? {} : { content }) };
}

function problemAnswers({ scope, params, body, upload, problems = [] }: Operation, schemaOf: SchemaOf): Json {
  const any = [400, ...(scope === null ? [] : [401, 403]), ...(params ? [404] : []), ...(body || upload ? [413, 415] : []), 429, 503];
  const all = [...new Set([...any, ...problems])].sort((a, b) => a - b);
  const retry = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } };
  return Object.fromEntries(all.map((status) => [status, {
    description: problemsOf[status]!,
    headers: { ...requestId, ...(status === 429 || status === 503 ? retry : {}) },
    content: { 'application/problem+json': { schema: schemaOf(problem, 'output') } },
  }]));
}

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it; named schemas go to the components. */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output', components: Json): unknown {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' }) as Json;
  const { $schema: _, $defs = {}, id: own, ...rest } = made as Json & { $defs?: Record<string, Json> };
  for (const [name, definition] of Object.entries($defs as Record<string, Json>)) keep(name, definition);
  if (typeof own !== 'string') return refsIn(rest);
  keep(own, rest);
  return { $ref: `#/components/schemas/${own}` };

  function keep(name: string, { id: _id, ...definition }: Json): void {
    components[name] = refsIn(definition);
  }
}

/** References as they are within an OpenAPI document. */
function refsIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(refsIn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, key === '$ref' && typeof member === 'string' ? member.replace('#/$defs/', '#/components/schemas/') : refsIn(member)]));
}
