import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openApiDocument } from './open-api.ts';
import { operations } from './operations/index.ts';
import type { Operation } from './operation.ts';

const document = openApiDocument({ version: '1.2.3', server: 'http://127.0.0.1:4100' }) as unknown as Document;

interface Document {
  info: { version: string; description: string };
  servers: unknown;
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, { description?: string; schema: Schema }> };
}
interface Described {
  operationId: string;
  summary: string;
  parameters?: ({ $ref: string } | { name: string; in: string; schema: Schema })[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema; example?: unknown }> };
  responses: Record<
    string,
    { $ref?: string; description?: string; content?: Record<string, { schema: Schema; example?: unknown }> }
  >;
}
type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; required?: string[] };

const all = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({ path, method, ...described })),
);

test('the document is OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
});

test('every reference leads somewhere', () => {
  const broken: string[] = [];
  walk(document, (key, value) => {
    if (
      key === '$ref' &&
      value
        .split('/')
        .slice(1)
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document) === undefined
    )
      broken.push(value);
  });
  expect(broken).toEqual([]);
});

test('what many operations share is said once, so that the document stays readable', () => {
  expect(JSON.stringify(document).length).toBeLessThan(440_000);
});

test('names the version and the server', () => {
  expect(document.info.version).toBe('1.2.3');
  expect(document.servers).toEqual([{ url: 'http://127.0.0.1:4100' }]);
  expect(openApiDocument({ version: '1', server: 'https://agon.example' })['servers']).toEqual([
    { url: 'https://agon.example' },
  ]);
});

test('a form is one object of its fields and its files', () => {
  const form = all.find(({ operationId }) => operationId === 'analyses.create')!.requestBody!.content[
    'multipart/form-data'
  ]!.schema;
  expect(Object.keys(form.properties!)).toEqual([
    'factors',
    'maxFactors',
    'context',
    'method',
    'seats',
    'budgetUsd',
    'file',
  ]);
  expect(form).toMatchObject({
    additionalProperties: false,
    required: ['file'],
    properties: { factors: { type: 'array' }, maxFactors: { type: 'integer' } },
  });
});

test('a query is described as a client writes it', () => {
  const { parameters } = document.components;
  expect(parameters['query-limit']!.schema).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 });
  expect(parameters['query-escalated']!.schema).toEqual({ type: 'boolean' });
});

test('every group says what it is for, every operation what it does', () => {
  expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  expect(all.filter(({ summary }) => !summary)).toEqual([]);
});

test('every example is what its schema takes', () => {
  for (const { id, body, lines, answers, example } of operations as readonly Operation[]) {
    if (example !== undefined) expect((body ?? lines)!.safeParse(example).error, id).toBeUndefined();
    const shown = all.find(({ operationId }) => operationId === id)!.responses[answers.status]?.content?.[
      'application/json'
    ]?.example;
    if (shown !== undefined) expect(answers.schema!.parse(shown), id).toEqual(shown);
  }
});

test('the addresses are what clients have built upon', () => {
  expect(
    all
      .map(({ operationId, method, path }) => `${operationId}  ${method.toUpperCase()} ${path}`)
      .sort()
      .join('\n'),
  ).toMatchSnapshot();
});

function walk(value: unknown, see: (key: string, value: string) => void, key = ''): void {
  if (typeof value === 'string') return see(key, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) walk(member, see, Array.isArray(value) ? key : name);
}
