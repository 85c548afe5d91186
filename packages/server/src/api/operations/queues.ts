import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** Who takes which case, and the queues that reviewers find them in. */
export const queues = [
  operation('queue.next', 'post', '/api/queue/next', 'review', {
    summary: 'Take the next case',
    description:
      'What you are to decide comes first, then what nobody in particular is; never what another looks at. It is ' +
      'held for you for some minutes.',
    body: schemas.nextQuery,
    answers: { status: 200, schema: schemas.nextCase, description: 'The case, blind.' },
    problems: [404],
    example: { stage: 'first', sort: 'due' },
  }),
  operation('queue.assign', 'put', '/api/queue/{id}/assignment', 'review', {
    summary: 'Say who is to decide a case',
    description: 'Until they have, others are not offered it. They may still open it.',
    body: schemas.assignment,
    answers: { status: 200, schema: schemas.queueRow, description: 'The case, blind.' },
    problems: [409],
    example: { to: 'ada' },
  }),
  operation('queue.alike', 'get', '/api/queue/{id}/alike', 'review', {
    summary: 'Undecided cases of the same queue that are alike',
    query: schemas.reviewerNamed,
    answers: { status: 200, schema: schemas.alikeCases, description: 'Blind.' },
    problems: [410],
  }),
  operation('queue.decideMany', 'post', '/api/queue/decisions', 'review', {
    summary: 'Decide several alike cases at once',
    description:
      'One decision each, with the same reason. Cases that somebody has decided or opened meanwhile are refused one ' +
      'by one; the others are recorded.',
    body: schemas.manyDecisions,
    answers: { status: 200, schema: schemas.manyDecided, description: 'What became of each.' },
    idempotent: true,
    example: { cases: ['mod-5be2a90c11d43f9a'], label: 'unsafe', why: 'The same chain letter.' },
  }),
  operation('queues.list', 'get', '/api/queues', 'review', {
    summary: 'The queues, with what waits in them and what is overdue',
    answers: { status: 200, schema: schemas.queueList, description: 'In their order.' },
  }),
  operation('queues.create', 'post', '/api/queues', 'admin', {
    summary: 'Create a queue',
    description:
      'A case waits in the first queue whose rules it meets. All cases that wait are looked at again before ' +
      'the answer.',
    body: schemas.newQueue,
    answers: { status: 201, schema: schemas.queueSummary, description: 'The queue.' },
    problems: [409],
    idempotent: true,
    example: { name: 'Scams', rules: { clauses: ['fraud'], severities: ['high', 'critical'] }, dueMinutes: 240 },
  }),
  operation('queues.change', 'patch', '/api/queues/{id}', 'admin', {
    summary: 'Change a queue, or its place in the order',
    body: schemas.queueChange,
    answers: { status: 200, schema: schemas.queueSummary, description: 'The queue.' },
    problems: [409],
    example: { position: 0 },
  }),
  operation('queues.remove', 'delete', '/api/queues/{id}', 'admin', {
    summary: 'Remove a queue',
    description: 'What waits in it goes where it belongs without it. Decisions stay.',
    answers: { status: 204, description: 'Gone.' },
  }),
] as const;
