import { inspect } from 'node:util';
import type { z } from 'zod';
import { answerExamples } from './document/examples.ts';
import { jsonSchemas, type SchemaJson, type JsonSchemas } from './document/json-schemas.ts';
import { problemAnswers, problemResponses } from './document/problems.ts';
import { operations } from './operations/index.ts';
import type { Operation } from './operation.ts';

/** What holds for every operation, in Markdown. */
const guide = `\
Verdicts a person can check: specialised agents debate, every argument quotes evidence that code has verified, a \
judge applies written rules, and the whole trial is on record.

**Keys.** On a loopback address no key is needed unless the server says so; elsewhere send \`Authorization: Bearer \
KEY\`. A key has scopes: \`read\`, \`judge\`, \`review\` and \`admin\`, which grants them all. \`agon keys \
create\` makes keys.

**Errors.** Problem details (RFC 9457, \`application/problem+json\`): \`code\` is stable and for programs, \
\`detail\` and \`hint\` are for people. Every answer carries \`X-Request-Id\`, which names the request in the log \
of the server; one that you send is kept.

**Pages.** Lists answer \`rows\` and \`next\`. Give \`next\` as \`after\` to get the following page; it is null at \
the end.

**Doing it once.** With an \`Idempotency-Key\` a request can be sent again safely: the second one gets what the \
first got, for a day. The same key with another request is refused.

**Live.** With \`Accept: text/event-stream\` a trial answers with its events as they happen. Each has an id: \
\`Last-Event-ID\` goes on after it. Whoever goes away for good ends the trial; what was argued is recalled the \
next time.

**Limits.** Bodies, uploads, time, trials and streams are bounded (\`GET /api/self\` says how). When it is too \
much at once the answer is 429 with \`Retry-After\`.`;

/** The groups of operations, in the order in which a reader wants them. */
const groups: Record<string, string> = {
  moderations: 'Judge texts and images: safe or unsafe.',
  evaluations: 'Judge what a model answered to a prompt.',
  analyses: 'Judge the claims of documents.',
  jobs: 'What this server can judge: Agon’s own jobs, and those it was given.',
  cases: 'Everything that was judged: answers, debates, reports, and what people say of them.',
  queue: 'What waits for a person.',
  queues: 'Which cases people find together, and by when they should decide them.',
  knownImages: 'The restricted queue: images that came in and are on a list of known images.',
  findings: 'What people make of findings for the report.',
  corrections: 'What people say the verdicts on claims should have been.',
  annotations: 'Files that people label, and how far they agree.',
  precedents: 'The decided cases that debates draw on.',
  learning: 'Make precedents of mistakes.',
  policies: 'The rulebook, its versions, and what a change would do.',
  streams: 'Items as they come, and results as they go.',
  runs: 'Many items from a file.',
  benches: 'How systems did on labelled sets.',
  overview: 'Figures over a period.',
  watching: 'What happens over time, and when somebody is told.',
  shadows: 'Candidates that judge live traffic in the shadow of what is in force.',
  openai: 'The moderation API of OpenAI, for clients that speak it.',
  session: 'Signing in, for people at a browser.',
  keys: 'Who may ask.',
  teams: 'Who shares the installation.',
  webhooks: 'Who is told of verdicts.',
  holds: 'What must not be deleted.',
  authors: 'What is on record of those who wrote what was judged.',
  statements: 'Statements of reasons.',
  transparency: 'Figures of decisions, for everybody.',
  audit: 'Who did what.',
  settings: 'What the server runs with.',
  models: 'Whether models answer.',
  house: 'The server itself: health, metrics, news, this document.',
};

/**
 * The OpenAPI 3.1 document of the HTTP API, made of the schemas that requests are read by.
 *
 * @example openApiDocument({ version: '0.1.0', server: 'http://127.0.0.1:4100' })
 */
export function openApiDocument({ version, server }: { version: string; server: string }): SchemaJson {
  const { info, ...document } = (made ??= documentOf(operations));
  return { openapi: '3.1.0', info: { ...(info as SchemaJson), version }, servers: [{ url: server }], ...document };
}

let made: SchemaJson | null = null;

function documentOf(all: readonly Operation[]): SchemaJson {
  const schemas = jsonSchemas();
  const parameters: SchemaJson = {};
  const responses = problemResponses(schemas);
  const paths: Record<string, SchemaJson> = {};
  for (const each of all) (paths[each.path] ??= {})[each.method] = described(each, schemas, parameters);
  return {
    info: { title: 'Agon', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' }, description: guide },
    tags: [...new Set(all.map(groupOf))].map((name) => ({ name, description: groups[name] })),
    security: [{ key: [] }, { session: [] }, {}],
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description:
            'A key of this server, as `agon keys create` makes it. On loopback none is needed unless the server ' +
            'says so.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'agon_session',
          description:
            'What a browser has of `POST /api/session` instead of a key. What changes something is then taken ' +
            'from pages of the server alone.',
        },
      },
      headers: {
        'X-Request-Id': { description: 'The id of the request in the server log.', schema: { type: 'string' } },
        'Retry-After': { description: 'How many seconds to wait before trying again.', schema: { type: 'integer' } },
        Location: { description: 'Where to get the answer again.', schema: { type: 'string' } },
        'Idempotent-Replayed': {
          description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
          schema: { type: 'string', const: 'true' },
        },
      },
      parameters,
      responses,
      schemas: schemas.components,
    },
  };
}

function groupOf({ id }: Operation): string {
  return id.split('.')[0]!;
}

function described(of: Operation, schemas: JsonSchemas, shared: SchemaJson): SchemaJson {
  const { id, summary, description, scope } = of;
  const parameters = parametersOf(of, schemas).map((parameter) => sharedParameter(parameter, shared));
  return {
    operationId: id,
    tags: [groupOf(of)],
    summary,
    description: `${description ? `${description}\n\n` : ''}\`\`\`ts\n${writeClientCall(of)}\n\`\`\``,
    ...(scope === null ? { security: [] } : { 'x-agon-scope': scope }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(of, schemas),
    responses: { [of.answers.status]: answerOf(of, schemas), ...problemAnswers(of) },
  };
}

/** How the typed client asks for it. */
function writeClientCall({ id, params, body, upload, example, onlyEvents }: Operation): string {
  const given = Object.keys(params?.shape ?? {});
  if (upload) given.push('{ files: [{ name: file, data: await readFile(file) }] }');
  else if (body && example !== undefined) given.push(inspect(example, { depth: null, breakLength: Infinity }));
  const call = `client.${id}(${given.join(', ')})`;
  return onlyEvents ? `for await (const event of ${call}) console.log(event)` : `await ${call}`;
}

interface Parameter extends SchemaJson {
  name: string;
  in: 'path' | 'query' | 'header';
}

function parametersOf({ params, query, events, idempotent }: Operation, schemas: JsonSchemas): Parameter[] {
  const header = (name: string, description: string, maxLength: number): Parameter => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', maxLength },
  });
  return [
    ...membersOf(params, 'path', schemas),
    ...membersOf(query, 'query', schemas),
    ...(events
      ? [
          header(
            'Last-Event-ID',
            'The id of the last event that was heard: the stream goes on after it. One that is not known starts ' +
              'from the beginning.',
            1000,
          ),
        ]
      : []),
    ...(idempotent
      ? [
          header(
            'Idempotency-Key',
            'The same key with the same request is answered once: a second time it gets what the first got.',
            255,
          ),
        ]
      : []),
  ];
}

function membersOf(group: z.ZodObject | undefined, place: 'path' | 'query', schemas: JsonSchemas): Parameter[] {
  return Object.entries(group?.shape ?? {}).map(([name, member]) => {
    const schema = member as z.ZodType;
    const { description, ...rest } = asSent(schemas.of(schema, 'input'));
    return {
      name,
      in: place,
      required: place === 'path' || !schema.safeParse(undefined).success,
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** `true` and `false` of a query are a boolean to whoever writes it. */
function asSent(schema: SchemaJson): SchemaJson {
  if (!Array.isArray(schema['enum']) || schema['enum'].join() !== 'true,false') return schema;
  const { enum: _, ...rest } = schema;
  return { ...rest, type: 'boolean' };
}

/** What several operations take is described once, where they take the same. */
function sharedParameter(parameter: Parameter, shared: SchemaJson): SchemaJson {
  const name = `${parameter.in}-${parameter.name}`;
  shared[name] ??= parameter;
  return JSON.stringify(shared[name]) === JSON.stringify(parameter)
    ? { $ref: `#/components/parameters/${name}` }
    : parameter;
}

function bodyOf({ body, upload, lines, example }: Operation, schemas: JsonSchemas): SchemaJson {
  if (lines)
    return {
      requestBody: {
        required: true,
        content: { 'application/x-ndjson': { schema: schemas.of(lines, 'input'), example } },
      },
    };
  if (!body && !upload) return {};
  const required = upload !== undefined || example !== undefined || !body!.safeParse({}).success;
  const shown = example === undefined ? {} : { example };
  if (!upload)
    return {
      requestBody: { required, content: { 'application/json': { schema: schemas.of(body!, 'input'), ...shown } } },
    };
  const { least, most, name, description } = upload;
  const files = {
    type: 'array',
    minItems: least,
    maxItems: most,
    description,
    items: { type: 'string', format: 'binary' },
  };
  const fields = body ? fieldsOf(schemas.of(body, 'input'), schemas) : {};
  const form = {
    type: 'object',
    ...fields,
    properties: { ...leaveEmpty(fields['properties'] as Record<string, SchemaJson> | undefined), [name]: files },
    required: [...((fields['required'] as string[] | undefined) ?? []), ...(least > 0 ? [name] : [])],
  };
  return { requestBody: { required, content: { 'multipart/form-data': { schema: form, ...shown } } } };
}

/** The fields of a form stand beside its files, so that they are one object. */
function fieldsOf(schema: SchemaJson, { components }: JsonSchemas): SchemaJson {
  const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1)! : null;
  return name === null ? schema : (components[name] as SchemaJson);
}

/** Swagger UI fills in objects of a form, with samples that mean nothing, unless they have an example. */
function leaveEmpty(fields: Record<string, SchemaJson> = {}): SchemaJson {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      '$ref' in field || field['type'] === 'object' ? { ...field, examples: [{}] } : field,
    ]),
  );
}

function answerOf({ id, answers, events, onlyEvents, idempotent }: Operation, schemas: JsonSchemas): SchemaJson {
  const { schema, media, description, status } = answers;
  const example = answerExamples[id];
  const content: SchemaJson = {};
  for (const type of media ?? (schema && !onlyEvents ? ['application/json'] : [])) {
    const json = type === 'application/json';
    content[type] = {
      schema: json ? (schema ? schemas.of(schema, 'output') : { type: 'object' }) : { type: 'string' },
      ...(json && example !== undefined ? { example } : {}),
    };
  }
  if (events)
    content['text/event-stream'] = {
      schema: { type: 'string', description: 'Server-sent events: `id`, `event` and `data`, which is JSON.' },
      'x-agon-event': schemas.of(events, 'output'),
    };
  const header = (name: string) => ({ [name]: { $ref: `#/components/headers/${name}` } });
  return {
    description,
    headers: {
      ...header('X-Request-Id'),
      ...(idempotent ? { ...header('Location'), ...header('Idempotent-Replayed') } : {}),
    },
    ...(status === 204 ? {} : { content }),
  };
}
