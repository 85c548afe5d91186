import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** Who works in a browser signs in with a key, and has a cookie instead of it. */
export const session = [
  operation('session.ways', 'get', '/api/session', null, {
    summary: 'How people sign in here',
    answers: { status: 200, schema: schemas.signInWays, description: 'What a page that asks for a key also offers.' },
  }),
  operation('session.create', 'post', '/api/session', null, {
    summary: 'Sign in with a key',
    description: 'Sets a cookie that scripts cannot read, for the console. Programs send the key itself.',
    body: schemas.signIn,
    answers: { status: 200, schema: schemas.self, description: 'The session.' },
    problems: [401],
  }),
  operation('session.end', 'delete', '/api/session', null, {
    summary: 'Sign out',
    answers: { status: 204, description: 'The cookie is gone.' },
  }),
] as const;

export const overview = [
  operation('overview.get', 'get', '/api/overview', 'read', {
    summary: 'Verdicts, disagreement, calibration, cost and latency over a period',
    query: schemas.overviewQuery,
    answers: { status: 200, schema: schemas.overview, description: 'Figures.' },
  }),
] as const;

export const queue = [
  operation('queue.list', 'get', '/api/queue', 'review', {
    summary: 'Cases waiting for a person, most urgent first',
    query: schemas.queueQuery,
    answers: { status: 200, schema: schemas.queuePage, description: 'A page of cases, blind.' },
  }),
  operation('queue.hold', 'post', '/api/queue/{id}/hold', 'review', {
    summary: 'Claim a case to decide',
    description: 'Nobody else is offered it for some minutes. Blind: the verdict is not shown.',
    body: schemas.reviewerNamed,
    answers: { status: 200, schema: schemas.queueItem, description: 'The case without the machine’s verdict.' },
    problems: [409, 410],
  }),
  operation('queue.image', 'get', '/api/queue/{id}/images/{hash}', 'review', {
    summary: 'An image or a recording of a waiting case',
    params: schemas.byId.extend({ hash: schemas.hash }),
    answers: {
      status: 200,
      media: ['image/*', 'audio/*', 'video/*', 'application/octet-stream'],
      description: 'Its bytes; with `Range`, a part of them (206).',
    },
    problems: [409, 410],
  }),
  operation('queue.release', 'delete', '/api/queue/{id}/hold', 'review', {
    summary: 'Put a case back',
    query: schemas.reviewerNamed,
    answers: { status: 204, description: 'It is waiting again.' },
  }),
  operation('queue.decide', 'post', '/api/queue/{id}/decisions', 'review', {
    summary: 'Decide a case of the queue',
    description:
      'The decision is feedback: the curator learns from it. A reviewer who contradicts the verdict, or decides ' +
      'what it left undecided, is followed by a second one; if the two disagree, a third settles it.',
    body: schemas.queueDecision,
    answers: {
      status: 201,
      schema: schemas.queueDecided,
      description: 'The recorded decision and the stage of the case.',
    },
    problems: [409, 422],
    idempotent: true,
    example: { label: 'safe', why: 'It is a line from a play.' },
  }),
] as const;

export const annotations = [
  operation('annotations.list', 'get', '/api/annotations', 'review', {
    summary: 'Annotation projects',
    query: schemas.annotatorQuery,
    answers: { status: 200, schema: schemas.annotationList, description: 'The newest first.' },
  }),
  operation('annotations.create', 'post', '/api/annotations', 'review', {
    summary: 'Create an annotation project from a file',
    description:
      'The first file is the dataset (JSON Lines, CSV or TSV: id, text, image, prompt, response); images that it ' +
      'names come as further files.',
    body: schemas.newAnnotation,
    upload: { name: 'file', least: 1, most: 2000, description: 'The dataset, then its images by name.' },
    answers: { status: 201, schema: schemas.annotationProject, description: 'The project.' },
    problems: [409, 415, 422],
  }),
  operation('annotations.get', 'get', '/api/annotations/{id}', 'review', {
    summary: 'A project with its agreement',
    query: schemas.annotatorQuery,
    answers: { status: 200, schema: schemas.annotationProject, description: 'The project.' },
  }),
  operation('annotations.next', 'get', '/api/annotations/{id}/next', 'review', {
    summary: 'The next item for you',
    description: 'The one with the most votes so far, then in file order. It is reserved for you for five minutes.',
    query: schemas.annotationNextQuery,
    answers: { status: 200, schema: schemas.annotationNext, description: 'An item that you have not voted on.' },
  }),
  operation('annotations.items', 'get', '/api/annotations/{id}/items', 'review', {
    summary: 'The items of a project',
    query: schemas.annotationItemQuery,
    answers: { status: 200, schema: schemas.annotationItemPage, description: 'In file order.' },
  }),
  operation('annotations.item', 'get', '/api/annotations/{id}/items/{position}', 'review', {
    summary: 'One item',
    params: schemas.byItem,
    query: schemas.annotatorQuery,
    answers: { status: 200, schema: schemas.annotationItem, description: 'The item.' },
  }),
  operation('annotations.vote', 'put', '/api/annotations/{id}/items/{position}/vote', 'review', {
    summary: 'Vote on an item',
    description: 'One vote per person; it can be changed until all votes are cast.',
    params: schemas.byItem,
    body: schemas.newVote,
    answers: { status: 200, schema: schemas.annotationItem, description: 'The item.' },
    problems: [409, 422],
    example: {
      label: 'unsafe',
      viewed: ['text'],
      finding: {
        tags: ['violence.plan'],
        severity: 'high',
        marks: [{ kind: 'span', part: 'text', start: 8, end: 22, quote: 'burn the house', tag: 'violence.plan' }],
      },
    },
  }),
  operation('annotations.adjudicate', 'put', '/api/annotations/{id}/items/{position}/adjudication', 'review', {
    summary: 'Settle a dispute between votes',
    params: schemas.byItem,
    body: schemas.newAdjudication,
    answers: { status: 200, schema: schemas.annotationItem, description: 'The item.' },
    problems: [409, 422],
    example: { label: 'safe', why: 'The sign names a film.' },
  }),
  operation('annotations.image', 'get', '/api/annotations/{id}/images/{hash}', 'review', {
    summary: 'An image of a project',
    params: schemas.byImage,
    answers: { status: 200, media: ['image/*', 'application/octet-stream'], description: 'Its bytes.' },
  }),
  operation('annotations.export', 'get', '/api/annotations/{id}/export', 'review', {
    summary: 'The labels of a project',
    query: schemas.annotationExportQuery,
    answers: {
      status: 200,
      media: ['application/jsonl', 'text/csv'],
      description: 'One item per line: label, tags, severity, spans, regions, votes, adjudication.',
    },
  }),
  operation('annotations.remove', 'delete', '/api/annotations/{id}', 'admin', {
    summary: 'Delete a project with its votes',
    answers: { status: 204, description: 'Gone.' },
  }),
] as const;
