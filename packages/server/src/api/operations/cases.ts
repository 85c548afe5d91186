import { z } from 'zod';
import { findingFilters, findingSorts } from '@agonhq/documents';
import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const reportQuery = z.strictObject({
  format: z
    .enum(['html', 'markdown', 'json', 'notice', 'pdf', 'annotated', 'xlsx', 'csv'])
    .default('html')
    .describe(
      '`notice`: for the person concerned. Of documents only, `pdf`: the decision brief; `annotated`: the judged PDF ' +
        'with the findings in its margin; `xlsx`, `csv`: the findings as a table.',
    ),
  sort: z
    .enum(findingSorts)
    .optional()
    .describe('Of documents, in `pdf`, `xlsx` and `csv`: by which column; `-` for the other way. The worst first.'),
  show: z.enum(findingFilters).optional().describe('Of documents, in the same: only these findings.'),
  search: z.string().max(200).optional().describe('Of documents, in the same: only findings with all these words.'),
});
const reportMedia = [
  'text/html',
  'text/markdown',
  'application/json',
  'application/pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/csv',
];

/** Cases of all jobs. */
export const cases = [
  operation('cases.list', 'get', '/api/cases', 'read', {
    summary: 'List cases of all jobs, the newest first',
    query: schemas.caseQuery,
    answers: { status: 200, schema: schemas.casePage, description: 'A page of cases.' },
  }),
  operation('cases.get', 'get', '/api/cases/{id}', 'read', {
    summary: 'A case with its complete record',
    answers: {
      status: 200,
      schema: schemas.caseRecord,
      description: 'The case: content, answer, decisions, retrials.',
    },
  }),
  operation('cases.answer', 'get', '/api/cases/{id}/answer', 'read', {
    summary: 'The answer of a case, with its transcript',
    answers: { status: 200, schema: schemas.anyAnswer, description: 'The answer as recorded.' },
    problems: [409, 410],
  }),
  operation('cases.events', 'get', '/api/cases/{id}/events', 'read', {
    summary: 'The events of a debate, live or from the record',
    description:
      'While it is judged, as they happen; afterwards as they are on record. `Last-Event-ID` goes on after an event.',
    answers: { status: 200, description: 'Events.' },
    events: schemas.trialEvent,
    onlyEvents: true,
    problems: [409, 410],
  }),
  operation('cases.report', 'get', '/api/cases/{id}/report', 'read', {
    summary: 'The report on a case',
    query: reportQuery,
    answers: { status: 200, media: reportMedia, description: 'The report.' },
    problems: [409, 410, 422],
  }),
  operation('cases.replay', 'post', '/api/cases/{id}/replays', 'judge', {
    summary: 'Hold a trial again with one thing changed',
    body: schemas.replayRequest,
    answers: { status: 200, schema: schemas.retrial, description: 'The result.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [409, 410, 422, 502, 504],
    example: { withoutPrecedents: ['seed-0001'] },
  }),
  operation('cases.appeal', 'post', '/api/cases/{id}/appeals', 'judge', {
    summary: 'Hear a case anew with other models',
    body: schemas.appealRequest,
    answers: { status: 200, schema: schemas.retrial, description: 'The result.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [409, 410, 422, 502, 504],
    example: { statement: 'It is a line from a play.' },
  }),
  operation('cases.forget', 'delete', '/api/cases/{id}', 'admin', {
    summary: 'Forget what was judged',
    description:
      'Takes away the content, what was said about it and what was learnt from it, in every case about it; ' +
      'verdict, seal and decisions stay.',
    answers: { status: 200, schema: schemas.forgotten, description: 'How many cases were affected.' },
  }),
  operation('cases.feedback', 'post', '/api/cases/{id}/feedback', 'review', {
    summary: 'Say what the right verdict was',
    description: 'Of what is safe or unsafe; the claims of documents are corrected one by one.',
    body: schemas.feedbackRequest,
    answers: { status: 201, schema: schemas.feedbackGiven, description: 'The decisions now recorded.' },
    idempotent: true,
    problems: [409, 422],
    example: { label: 'safe', why: 'It is a line from a play.' },
  }),
  operation('cases.stop', 'post', '/api/cases/{id}/stop', 'judge', {
    summary: 'Stop a running trial',
    description:
      'For everybody who listens, at once. What was argued is on record: judged again, the trial goes on from there.',
    answers: { status: 200, schema: schemas.stopped, description: 'Whether a trial was stopped.' },
  }),
  operation('cases.around', 'get', '/api/cases/{id}/around', 'read', {
    summary: 'Cases of the same author and of the same thread',
    answers: { status: 200, schema: schemas.casesAround, description: 'A few of each, by the context of the case.' },
  }),
  operation('cases.similar', 'get', '/api/cases/{id}/similar', 'read', {
    summary: 'Cases about similar content',
    query: schemas.similarQuery,
    answers: { status: 200, schema: schemas.similarCases, description: 'Most similar first.' },
    problems: [410],
  }),
  operation('cases.calls', 'get', '/api/cases/{id}/calls', 'read', {
    summary: 'What was sent to models for a turn, and what they said',
    description:
      'The exact prompt, the raw reply, tokens, cost, time, cache and retries of every attempt; never a key. Of a ' +
      'turn by the embedded model, how it reads the case.',
    query: schemas.callsQuery,
    answers: { status: 200, schema: schemas.turnCalls, description: 'Every attempt, in order.' },
    problems: [410],
  }),
  operation('cases.disclosures', 'get', '/api/cases/{id}/disclosures', 'read', {
    summary: 'What left the machine for a case, and to whom',
    description:
      'By provider and model: when, how many requests and bytes, which kinds of personal data were masked and which ' +
      'went as they are, images and recordings. The values themselves are not in it.',
    answers: { status: 200, schema: schemas.caseDisclosures, description: 'In the order they were first asked.' },
    problems: [410],
  }),
  operation('cases.bundle', 'get', '/api/cases/{id}/bundle', 'read', {
    summary: 'The evidence of a case, signed, for others to check',
    description:
      'Answer, subject, policy, precedents, prompts, models, decisions and records in one file, which `agon verify` ' +
      'and the page at `/verifier.html` check without this server. The same records make the same bytes.',
    query: schemas.bundleQuery,
    answers: { status: 200, media: ['application/zip'], description: 'The bundle.' },
    problems: [409, 410],
  }),
  operation('cases.opening', 'get', '/api/cases/{id}/bundle/opening', 'admin', {
    summary: 'What opens the redacted bundle of a case',
    description: 'The salts and what was left out. Whoever has it can read the content, and prove that it was judged.',
    answers: { status: 200, media: ['application/json'], description: 'For `agon verify --opening`.' },
    problems: [409, 410],
  }),
  operation('cases.attachments', 'get', '/api/cases/{id}/attachments', 'read', {
    summary: 'The images, recordings and documents of a case',
    answers: { status: 200, schema: schemas.attachmentList, description: 'Their names and types, without the bytes.' },
  }),
  operation('cases.attachment', 'get', '/api/cases/{id}/attachments/{hash}', 'read', {
    summary: 'An image, a recording or a document that was judged',
    params: schemas.byId.extend({ hash: schemas.hash }),
    answers: {
      status: 200,
      media: ['image/*', 'audio/*', 'video/*', 'application/pdf', 'application/octet-stream'],
      description: 'Its bytes; with `Range`, a part of them (206).',
    },
  }),
] as const;
