import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const files = { name: 'file', least: 1, most: 2000, description: 'The labelled data, then the files that it names.' };

export const benches = [
  operation('benches.create', 'post', '/api/benches', 'judge', {
    summary: 'Measure systems on labelled data',
    description:
      'The first file is the data, in any format that `agon bench datasets` lists; images and documents that it ' +
      'names come as further files. The bench goes on after this answer, and after a restart of the server; one is ' +
      'measured at a time. The same order as that of a bench that stopped goes on with it.',
    body: schemas.newBench,
    upload: files,
    answers: { status: 201, schema: schemas.benchRow, description: 'The bench.' },
    idempotent: true,
    problems: [409, 415, 422],
  }),
  operation('benches.estimate', 'post', '/api/bench-estimates', 'judge', {
    summary: 'Estimate what a bench would take, without starting it',
    description:
      'Takes what starting a bench takes. A sample of items goes through the protocol of each system, with the ' +
      'embedded reasoner in the place of the models: no model is called, and nothing is kept.',
    body: schemas.newBench,
    upload: files,
    answers: { status: 200, schema: schemas.benchEstimate, description: 'Judgements, calls and cost by system.' },
    problems: [409, 415, 422],
  }),
  operation('benches.systems', 'get', '/api/bench-systems', 'read', {
    summary: 'The systems that a bench can measure, by job',
    answers: { status: 200, schema: schemas.benchSystems, description: 'Names, with a line each.' },
  }),
  operation('benches.list', 'get', '/api/benches', 'read', {
    summary: 'List benches, the newest first',
    query: schemas.benchQuery,
    answers: { status: 200, schema: schemas.benchPage, description: 'A page of benches.' },
  }),
  operation('benches.get', 'get', '/api/benches/{id}', 'read', {
    summary: 'A bench with its figures',
    answers: { status: 200, schema: schemas.benchReport, description: 'Figures by set and system.' },
  }),
  operation('benches.cancel', 'post', '/api/benches/{id}/cancel', 'judge', {
    summary: 'Stop a bench',
    description: 'What was judged stays on record; resuming continues with the rest.',
    answers: { status: 200, schema: schemas.benchRow, description: 'The bench.' },
    problems: [409],
  }),
  operation('benches.resume', 'post', '/api/benches/{id}/resume', 'judge', {
    summary: 'Resume a bench',
    answers: { status: 200, schema: schemas.benchRow, description: 'The bench.' },
    problems: [409, 422],
  }),
  operation('benches.items', 'get', '/api/benches/{id}/sets/{set}/items', 'read', {
    summary: 'The judgement of each system on each item',
    params: schemas.bySet,
    query: schemas.benchItemQuery,
    answers: { status: 200, schema: schemas.benchItemPage, description: 'A page of items.' },
    problems: [422],
  }),
  operation('benches.exportItems', 'get', '/api/benches/{id}/sets/{set}/items/export', 'read', {
    summary: 'The items that match, as a table',
    params: schemas.bySet,
    query: schemas.benchExportQuery,
    answers: { status: 200, media: ['text/csv', 'application/jsonl'], description: 'One item per line.' },
    problems: [422],
  }),
] as const;
