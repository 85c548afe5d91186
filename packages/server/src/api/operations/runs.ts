import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

export const runs = [
  operation('runs.create', 'post', '/api/runs', 'judge', {
    summary: 'Judge the items of a file',
    description:
      'The first file is the input (JSON Lines, CSV or TSV); images and documents that its items name come as ' +
      'further files. The run goes on after this answer, and after a restart of the server.',
    body: schemas.newRun,
    upload: { name: 'file', least: 1, most: 2000, description: 'The input, then the files that its items name.' },
    answers: { status: 201, schema: schemas.runRow, description: 'The run.' },
    idempotent: true,
    problems: [409, 415, 422],
  }),
  operation('runs.estimate', 'post', '/api/run-estimates', 'judge', {
    summary: 'Estimate what a run would take, without starting it',
    description:
      'Takes what starting a run takes. A sample of 20 items goes through the real protocol, with the embedded ' +
      'reasoner in the place of the models: no model is called, and nothing is kept.',
    body: schemas.newRun,
    upload: { name: 'file', least: 1, most: 2000, description: 'The input, then the files that its items name.' },
    answers: { status: 200, schema: schemas.runEstimate, description: 'Cost, calls, tokens and time.' },
    problems: [409, 415, 422],
  }),
  operation('runs.list', 'get', '/api/runs', 'read', {
    summary: 'List runs, the newest first',
    query: schemas.runQuery,
    answers: { status: 200, schema: schemas.runList, description: 'A page of runs.' },
  }),
  operation('runs.get', 'get', '/api/runs/{id}', 'read', {
    summary: 'The state of a run',
    answers: { status: 200, schema: schemas.runReport, description: 'Counts, usage, quality, failures.' },
  }),
  operation('runs.events', 'get', '/api/runs/{id}/events', 'read', {
    summary: 'The progress of a run',
    answers: { status: 200, description: 'Events.' },
    events: schemas.runEvent,
    onlyEvents: true,
  }),
  operation('runs.items', 'get', '/api/runs/{id}/items', 'read', {
    summary: 'The items of a run, beside those of other runs',
    query: schemas.runItemQuery,
    answers: { status: 200, schema: schemas.runItemPage, description: 'A page of items.' },
  }),
  operation('runs.exportItems', 'get', '/api/runs/{id}/items/export', 'read', {
    summary: 'The items that match, as a table',
    description: 'All pages of what the items of a run answer, with the same filters and in the same order.',
    query: schemas.gridExportQuery,
    answers: { status: 200, media: ['text/csv', 'application/jsonl'], description: 'One item per line.' },
  }),
  operation('runs.cancel', 'post', '/api/runs/{id}/cancel', 'judge', {
    summary: 'Stop a run',
    description: 'Items with a verdict keep it; resuming continues with the rest.',
    answers: { status: 200, schema: schemas.runChanged, description: 'Its state.' },
    problems: [409],
  }),
  operation('runs.resume', 'post', '/api/runs/{id}/resume', 'judge', {
    summary: 'Resume a run',
    answers: { status: 200, schema: schemas.runChanged, description: 'Its state.' },
    problems: [409, 422],
  }),
  operation('runs.retry', 'post', '/api/runs/{id}/retry-failed', 'judge', {
    summary: 'Judge failed items again',
    answers: { status: 200, schema: schemas.runChanged, description: 'How many items are waiting again.' },
    problems: [409, 422],
  }),
  operation('runs.export', 'get', '/api/runs/{id}/export', 'read', {
    summary: 'The results of a run',
    query: schemas.exportQuery,
    answers: { status: 200, media: ['application/jsonl', 'text/csv'], description: 'One result per line.' },
  }),
  operation('runs.bundle', 'get', '/api/runs/{id}/bundle', 'read', {
    summary: 'The evidence of all cases of a run, signed, for others to check',
    description: 'A bundle of each case, and one signed statement about them all.',
    query: schemas.bundleQuery,
    answers: { status: 200, media: ['application/zip'], description: 'The bundle.' },
    problems: [410, 422],
  }),
  operation('runs.diff', 'get', '/api/runs/{id}/diff/{other}', 'read', {
    summary: 'What two runs decided differently',
    params: schemas.byId.extend({ other: schemas.id }),
    query: schemas.diffQuery,
    answers: { status: 200, schema: schemas.runDifference, description: 'Flips and their test.' },
    problems: [409, 422],
  }),
] as const;
