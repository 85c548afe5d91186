import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const { byId } = schemas;

/** Who works in a browser signs in with a key, and has a cookie instead of it. */
export const session = [
  operation({ id: 'session.create', method: 'post', path: '/api/session', scope: null, summary: 'Sign in with a key', description: 'Answers with a cookie that scripts cannot read, for the console. Programs send the key itself.', body: schemas.signIn, answers: { status: 200, schema: schemas.self, description: 'Who you are here.' }, problems: [401] }),
  operation({ id: 'session.end', method: 'delete', path: '/api/session', scope: null, summary: 'Sign out', answers: { status: 204, description: 'The cookie is gone.' } }),
] as const;

export const overview = [
  operation({ id: 'overview.get', method: 'get', path: '/api/overview', scope: 'read', summary: 'Verdicts, disagreement, calibration, cost and latency over a time', query: schemas.overviewQuery, answers: { status: 200, schema: schemas.overview, description: 'Figures.' } }),
] as const;

export const queue = [
  operation({ id: 'queue.list', method: 'get', path: '/api/queue', scope: 'review', summary: 'What waits for a person, the most urgent first', query: schemas.queueQuery, answers: { status: 200, schema: schemas.queuePage, description: 'A page of cases, blind.' } }),
  operation({ id: 'queue.hold', method: 'post', path: '/api/queue/{id}/hold', scope: 'review', summary: 'Take a case to decide it', description: 'For some minutes nobody else is offered it. Blind: the verdict is not told.', params: byId, body: schemas.reviewerNamed, answers: { status: 200, schema: schemas.queueItem, description: 'The case without the machine’s opinion.' }, problems: [409, 410] }),
  operation({ id: 'queue.image', method: 'get', path: '/api/queue/{id}/images/{hash}', scope: 'review', summary: 'An image of a case that waits', params: byId.extend({ hash: schemas.hash }), answers: { status: 200, media: ['image/*', 'application/octet-stream'], description: 'Its bytes.' }, problems: [409, 410] }),
  operation({ id: 'queue.release', method: 'delete', path: '/api/queue/{id}/hold', scope: 'review', summary: 'Put a case back', params: byId, query: schemas.reviewerNamed, answers: { status: 204, description: 'It waits again.' } }),
  operation({ id: 'queue.decide', method: 'post', path: '/api/queue/{id}/decisions', scope: 'review', summary: 'Decide a case of the queue', description: 'The decision is feedback: the curator learns from it. A reviewer who contradicts the verdict, or decides what it left undecided, is followed by a second one; if the two disagree, a third settles it.', params: byId, body: schemas.queueDecision, answers: { status: 201, schema: schemas.queueDecided, description: 'What is on record, and where the case stands.' }, problems: [409, 422], idempotent: true, example: { label: 'safe', why: 'It is a line from a play.' } }),
] as const;

export const annotations = [
  operation({ id: 'annotations.list', method: 'get', path: '/api/annotations', scope: 'review', summary: 'Annotation projects', query: schemas.annotatorQuery, answers: { status: 200, schema: schemas.annotationList, description: 'The newest first.' } }),
  operation({
    id: 'annotations.create', method: 'post', path: '/api/annotations', scope: 'review', summary: 'Make an annotation project of a file', description: 'The first file is the dataset (JSON Lines, CSV or TSV: id, text, image, prompt, response); images that it names come as further files.',
    body: schemas.newAnnotation, upload: { name: 'file', least: 1, most: 2000, description: 'The dataset, then its images by name.' }, answers: { status: 201, schema: schemas.annotationProject, description: 'The project.' }, problems: [409, 415, 422],
  }),
  operation({ id: 'annotations.get', method: 'get', path: '/api/annotations/{id}', scope: 'review', summary: 'A project with its agreement', params: byId, query: schemas.annotatorQuery, answers: { status: 200, schema: schemas.annotationProject, description: 'The project.' } }),
  operation({ id: 'annotations.next', method: 'get', path: '/api/annotations/{id}/next', scope: 'review', summary: 'The next item for you', description: 'The one with most votes so far, then the first of the file. It is yours for five minutes.', params: byId, query: schemas.annotationNextQuery, answers: { status: 200, schema: schemas.annotationNext, description: 'An item that you have not voted on.' } }),
  operation({ id: 'annotations.items', method: 'get', path: '/api/annotations/{id}/items', scope: 'review', summary: 'The items of a project', params: byId, query: schemas.annotationItemQuery, answers: { status: 200, schema: schemas.annotationItemPage, description: 'In the order of the file.' } }),
  operation({ id: 'annotations.item', method: 'get', path: '/api/annotations/{id}/items/{position}', scope: 'review', summary: 'One item', params: schemas.byItem, query: schemas.annotatorQuery, answers: { status: 200, schema: schemas.annotationItem, description: 'The item.' } }),
  operation({ id: 'annotations.vote', method: 'put', path: '/api/annotations/{id}/items/{position}/vote', scope: 'review', summary: 'Vote on an item', description: 'One vote a person; it may be changed until all votes are in.', params: schemas.byItem, body: schemas.newVote, answers: { status: 200, schema: schemas.annotationItem, description: 'The item.' }, problems: [409, 422], example: { label: 'unsafe', viewed: ['text', 'image'] } }),
  operation({ id: 'annotations.adjudicate', method: 'put', path: '/api/annotations/{id}/items/{position}/adjudication', scope: 'review', summary: 'Settle what the votes disagree about', params: schemas.byItem, body: schemas.newAdjudication, answers: { status: 200, schema: schemas.annotationItem, description: 'The item.' }, problems: [409, 422], example: { label: 'safe', why: 'The sign names a film.' } }),
  operation({ id: 'annotations.image', method: 'get', path: '/api/annotations/{id}/images/{hash}', scope: 'review', summary: 'An image of a project', params: schemas.byImage, answers: { status: 200, media: ['image/*', 'application/octet-stream'], description: 'Its bytes.' } }),
  operation({ id: 'annotations.export', method: 'get', path: '/api/annotations/{id}/export', scope: 'review', summary: 'The labels of a project', params: byId, query: schemas.annotationExportQuery, answers: { status: 200, media: ['application/jsonl', 'text/csv'], description: 'One item a line: label, votes, adjudication.' } }),
  operation({ id: 'annotations.remove', method: 'delete', path: '/api/annotations/{id}', scope: 'admin', summary: 'Take a project away with its votes', params: byId, answers: { status: 204, description: 'Gone.' } }),
] as const;

export const benches = [
  operation({ id: 'benches.list', method: 'get', path: '/api/benches', scope: 'read', summary: 'List benches, the newest first', query: schemas.benchQuery, answers: { status: 200, schema: schemas.benchPage, description: 'A page of benches.' } }),
  operation({ id: 'benches.get', method: 'get', path: '/api/benches/{id}', scope: 'read', summary: 'A bench with its figures', params: byId, answers: { status: 200, schema: schemas.benchReport, description: 'By set and system.' } }),
  operation({ id: 'benches.items', method: 'get', path: '/api/benches/{id}/sets/{set}/items', scope: 'read', summary: 'What each system said of each item', params: schemas.bySet, query: schemas.benchItemQuery, answers: { status: 200, schema: schemas.benchItemPage, description: 'A page of items.' }, problems: [422] }),
] as const;
