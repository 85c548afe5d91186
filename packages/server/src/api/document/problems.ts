import { STATUS_CODES } from 'node:http';
import type { Operation } from '../operation.ts';
import { problem } from '../schemas/index.ts';
import type { SchemaJson, JsonSchemas } from './json-schemas.ts';

/** What a problem means, by its status, with one of the codes that it comes with. */
const meanings: Record<
  number,
  { name: string; description: string; example: { code: string; detail: string; hint: string } }
> = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed.',
    example: {
      code: 'bad-request',
      detail: 'The body is not valid: label: Invalid option: expected one of "safe"|"unsafe".',
      hint: 'GET /docs shows what this operation takes.',
    },
  },
  401: {
    name: 'Unauthorized',
    description: 'The key is missing or unknown.',
    example: { code: 'no-api-key', detail: 'This server needs a key.', hint: 'Send Authorization: Bearer KEY.' },
  },
  403: {
    name: 'Forbidden',
    description:
      'The key does not have the scope, the host or origin is not allowed, or the server does not allow this.',
    example: {
      code: 'no-scope',
      detail: 'The key lacks the scope review.',
      hint: 'Use a key that has it: agon keys create --name NAME --scope review.',
    },
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist.',
    example: { code: 'unknown-case', detail: 'There is no case 4f1c.', hint: 'GET /api/cases lists them.' },
  },
  409: {
    name: 'Conflict',
    description: 'The current state does not allow this, or a request with the same `Idempotency-Key` is in progress.',
    example: {
      code: 'unfinished-case',
      detail: 'Case 4f1c has no verdict yet.',
      hint: 'Listen to its events while it is judged.',
    },
  },
  410: {
    name: 'Gone',
    description: 'Its content was forgotten.',
    example: {
      code: 'forgotten-case',
      detail: 'What case 4f1c judged was forgotten on 2026-01-31.',
      hint: 'Only its verdict and seal are left: GET /api/cases/{id}.',
    },
  },
  413: {
    name: 'TooLarge',
    description: 'The request is too large.',
    example: {
      code: 'body-too-large',
      detail: 'The body is larger than 33,554,432 bytes.',
      hint: 'Send less at once; server.bodyBytes sets the limit.',
    },
  },
  415: {
    name: 'WrongMediaType',
    description: 'The media type is not supported.',
    example: {
      code: 'wrong-media-type',
      detail: 'The body is text/plain.',
      hint: 'Send Content-Type: application/json.',
    },
  },
  422: {
    name: 'Unprocessable',
    description: 'The input cannot be judged or stored, or the `Idempotency-Key` was used for another request.',
    example: { code: 'empty-content', detail: 'There is nothing to judge.', hint: 'Give a text or an image.' },
  },
  429: {
    name: 'TooMany',
    description: 'Too many requests: `Retry-After` says when to try again.',
    example: {
      code: 'queue-full',
      detail: '16 trials are running and 256 are waiting: the queue is full.',
      hint: 'Try again in 2 s; server.concurrency and server.queue set the limits.',
    },
  },
  502: {
    name: 'ModelAway',
    description: 'A model (or a webhook) could not be reached, or did not answer.',
    example: { code: 'models-away', detail: 'No model answered.', hint: 'Check the server log.' },
  },
  503: {
    name: 'Unavailable',
    description: 'The server is draining, or its ledger does not answer.',
    example: {
      code: 'draining',
      detail: 'The server is shutting down.',
      hint: 'Try again: another server will answer.',
    },
  },
  504: {
    name: 'TookTooLong',
    description: 'It took too long.',
    example: {
      code: 'took-too-long',
      detail: 'The trial took longer than 600 s.',
      hint: 'Try again: arguments made so far are recalled. server.timeoutSeconds sets the limit.',
    },
  },
};

/** The statuses of the problems that an operation may answer with. */
export function problemStatuses({
  scope,
  params,
  body,
  upload,
  idempotent,
  problems = [],
}: Operation): readonly number[] {
  const any = [
    400,
    ...(scope === null ? [] : [401, 403]),
    ...(params ? [404] : []),
    ...(body || upload ? [413, 415] : []),
    ...(idempotent ? [409, 422] : []),
    429,
    503,
  ];
  return [...new Set([...any, ...problems])].sort((a, b) => a - b);
}

/** Each status once, for all operations to point at. */
export function problemResponses(schemas: JsonSchemas): SchemaJson {
  const schema = schemas.of(problem, 'output');
  return Object.fromEntries(
    Object.entries(meanings).map(([status, { name, description, example }]) => [
      name,
      {
        description,
        headers: {
          'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
          ...(status === '429' || status === '503'
            ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
            : {}),
        },
        content: {
          'application/problem+json': {
            schema,
            example: {
              type: `urn:agon:problem:${example.code}`,
              title: STATUS_CODES[status],
              status: Number(status),
              ...example,
            },
          },
        },
      },
    ]),
  );
}

export function problemAnswers(of: Operation): SchemaJson {
  return Object.fromEntries(
    problemStatuses(of).map((status) => [status, { $ref: `#/components/responses/${meanings[status]!.name}` }]),
  );
}
