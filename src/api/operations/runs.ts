import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const { byId } = schemas;

export const runs = [
  operation({
    id: 'runs.create', method: 'post', path: '/api/runs', scope: 'judge', summary: 'Judge the items of a file', description: 'The first file is the input (JSON Lines, CSV or TSV); images and documents that its items name come as further files. The run goes on after this answer, and after a restart of the server.',
    body: schemas.newRun, upload: { name: 'file', least: 1, most: 2000, description: 'The input, then what its items refer to by name.' }, answers: { status: 201, schema: schemas.runRow, description: 'The run.' }, idempotent: true, problems: [409, 415, 422],
  }),
  operation({ id: 'runs.list', method: 'get', path: '/api/runs', scope: 'read', summary: 'List runs, the newest first', query: schemas.runQuery, answers: { status: 200, schema: schemas.runList, description: 'A page of runs.' } }),
  operation({ id: 'runs.get', method: 'get', path: '/api/runs/{id}', scope: 'read', summary: 'Where a run stands', params: byId, answers: { status: 200, schema: schemas.runReport, description: 'Counts, usage, quality, failures.' } }),
  operation({ id: 'runs.events', method: 'get', path: '/api/runs/{id}/events', scope: 'read', summary: 'The progress of a run', params: byId, answers: { status: 200, description: 'Events.' }, events: schemas.runEvent, onlyEvents: true }),
  operation({ id: 'runs.items', method: 'get', path: '/api/runs/{id}/items', scope: 'read', summary: 'The items of a run', params: byId, query: schemas.runItemQuery, answers: { status: 200, schema: schemas.runItemPage, description: 'A page of items, by position.' } }),
  operation({ id: 'runs.cancel', method: 'post', path: '/api/runs/{id}/cancel', scope: 'judge', summary: 'Stop a run', description: 'What has a verdict keeps it; a resume goes on with the rest.', params: byId, answers: { status: 200, schema: schemas.runChanged, description: 'Its state.' }, problems: [409] }),
  operation({ id: 'runs.resume', method: 'post', path: '/api/runs/{id}/resume', scope: 'judge', summary: 'Go on with a run', params: byId, answers: { status: 200, schema: schemas.runChanged, description: 'Its state.' }, problems: [409, 422] }),
  operation({ id: 'runs.retry', method: 'post', path: '/api/runs/{id}/retry-failed', scope: 'judge', summary: 'Judge failed items again', params: byId, answers: { status: 200, schema: schemas.runChanged, description: 'How many wait again.' }, problems: [409, 422] }),
  operation({ id: 'runs.export', method: 'get', path: '/api/runs/{id}/export', scope: 'read', summary: 'The results of a run', params: byId, query: schemas.exportQuery, answers: { status: 200, media: ['application/jsonl', 'text/csv'], description: 'One result a line.' } }),
  operation({ id: 'runs.diff', method: 'get', path: '/api/runs/{id}/diff/{other}', scope: 'read', summary: 'What two runs decided differently', params: byId.extend({ other: schemas.id }), query: schemas.diffQuery, answers: { status: 200, schema: schemas.runDifference, description: 'Flips and their test.' }, problems: [409, 422] }),
] as const;
