import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

/** Legal holds, what is on record of an author, and what is told about decisions. */
export const accountability = [
  operation('holds.list', 'get', '/api/holds', 'admin', {
    summary: 'The legal holds in force',
    query: schemas.holdsQuery,
    answers: { status: 200, schema: schemas.legalHoldList, description: 'The newest first.' },
  }),
  operation('holds.place', 'post', '/api/holds', 'admin', {
    summary: 'Keep a case or an author from being deleted',
    description:
      'Neither retention nor forgetting takes away what a hold covers: a case and every case about the same content, ' +
      'or everything of an author, later cases too. It stands in the audit log.',
    body: schemas.holdRequest,
    answers: { status: 201, schema: schemas.legalHold, description: 'The hold.' },
    problems: [404, 422],
    example: { case: 'mod-315703c5ee85a07c', reason: 'Lawsuit 12/26' },
  }),
  operation('holds.lift', 'post', '/api/holds/{id}/lift', 'admin', {
    summary: 'Lift a legal hold',
    body: schemas.liftRequest,
    answers: { status: 200, schema: schemas.legalHold, description: 'The hold; it stays on record.' },
    problems: [409, 422],
    example: { why: 'It was settled.' },
  }),
  operation('authors.export', 'get', '/api/authors/{author}/export', 'admin', {
    summary: 'Everything on record of an author, as a ZIP file',
    description:
      'Cases with their content, verdicts, decisions, marks and appeals, prompts, what left the machine and to whom, ' +
      'and what the audit log says of them, with a README. Reviewers are not named.',
    params: schemas.byAuthor,
    query: schemas.authorExportQuery,
    answers: { status: 200, media: ['application/zip'], description: 'The archive.' },
    problems: [422],
  }),
  operation('authors.forget', 'delete', '/api/authors/{author}', 'admin', {
    summary: 'Forget what an author wrote',
    description:
      'Takes away their contents, what was said about them and what was learnt from them, in every case about them; ' +
      'verdicts, seals and decisions stay. Refused while a legal hold covers any of it.',
    params: schemas.byAuthor,
    answers: { status: 200, schema: schemas.forgottenAuthor, description: 'What was forgotten.' },
    problems: [409],
  }),
  operation('cases.statement', 'get', '/api/cases/{id}/statement', 'read', {
    summary: 'The statement of reasons of a case',
    description:
      'With the members of the DSA Transparency Database as far as the record and the settings (`statements`) know ' +
      'them. For the person concerned there is the report `notice`.',
    query: schemas.statementQuery,
    answers: { status: 200, schema: schemas.statementOfReasons, description: 'The statement.' },
    problems: [409],
  }),
  operation('cases.proof', 'get', '/api/cases/{id}/proof', 'read', {
    summary: 'A proof that a case is on record',
    description:
      'Its records as leaves of the trees, the way from each to a checkpoint, and its signature: `agon verify` ' +
      'checks it offline. Where the last checkpoint does not hold all of it yet, one is made.',
    query: schemas.proofQuery,
    answers: { status: 200, media: ['application/json'], description: 'The proof.' },
  }),
  operation('statements.export', 'get', '/api/statements/export', 'admin', {
    summary: 'The statements of reasons of a time',
    query: schemas.statementsQuery,
    answers: {
      status: 200,
      media: ['application/jsonl', 'text/csv'],
      description: 'One for each decision of this time that restricts content.',
    },
  }),
  operation('transparency.get', 'get', '/api/transparency', 'read', {
    summary: 'The decisions of a time, in figures',
    description:
      'By action, clause, language and source, automated or by people, appeals and how many were overturned, the ' +
      'median time to decide, and errors as far as people have found them.',
    query: schemas.transparencyQuery,
    answers: {
      status: 200,
      media: ['application/json', 'text/csv', 'text/markdown', 'text/html'],
      description: 'The figures.',
    },
  }),
] as const;
