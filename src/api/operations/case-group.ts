import { z } from 'zod';
import { findingFilters, findingSorts } from '../../jobs/documents/index.ts';
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

interface CaseGroup<Group, Base, Answer, OfAll, OfOne> {
  group: Group;
  base: Base;
  what: string;
  answer: Answer;
  /** What the path of the list names, and that of a case. */
  params: { list: OfAll; one: OfOne };
}

/** What every case can be asked for, whatever its job. */
export function defineCaseGroup<
  const Group extends string,
  const Base extends string,
  Answer extends z.ZodType,
  OfAll extends z.ZodObject,
  OfOne extends z.ZodObject,
>({ group, base, what, answer, params: { list, one } }: CaseGroup<Group, Base, Answer, OfAll, OfOne>) {
  const path = `${base}/{id}` as const;
  return [
    operation(`${group}.list`, 'get', base, 'read', {
      params: list,
      summary: `List ${what}, the newest first`,
      query: schemas.caseQuery,
      answers: { status: 200, schema: schemas.casePage, description: 'A page of cases.' },
    }),
    operation(`${group}.get`, 'get', path, 'read', {
      summary: 'The answer of a case, with its transcript',
      params: one,
      answers: { status: 200, schema: answer, description: 'The answer as recorded.' },
      problems: [409, 410],
    }),
    operation(`${group}.events`, 'get', `${path}/events`, 'read', {
      summary: 'The events of a debate, live or from the record',
      description:
        'While it is judged, as they happen; afterwards as they are on record. `Last-Event-ID` goes on after an event.',
      params: one,
      answers: { status: 200, description: 'Events.' },
      events: schemas.trialEvent,
      onlyEvents: true,
      problems: [409, 410],
    }),
    operation(`${group}.report`, 'get', `${path}/report`, 'read', {
      summary: 'The report on a case',
      params: one,
      query: reportQuery,
      answers: { status: 200, media: reportMedia, description: 'The report.' },
      problems: [409, 410, 422],
    }),
    operation(`${group}.replay`, 'post', `${path}/replays`, 'judge', {
      summary: 'Hold a trial again with one thing changed',
      params: one,
      body: schemas.replayRequest,
      answers: { status: 200, schema: schemas.retrial, description: 'The result.' },
      events: schemas.trialEvent,
      idempotent: true,
      problems: [409, 410, 422, 502, 504],
      example: { withoutPrecedents: ['seed-0001'] },
    }),
    operation(`${group}.appeal`, 'post', `${path}/appeals`, 'judge', {
      summary: 'Hear a case anew with other models',
      params: one,
      body: schemas.appealRequest,
      answers: { status: 200, schema: schemas.retrial, description: 'The result.' },
      events: schemas.trialEvent,
      idempotent: true,
      problems: [409, 410, 422, 502, 504],
      example: { statement: 'It is a line from a play.' },
    }),
    operation(`${group}.forget`, 'delete', path, 'admin', {
      summary: 'Forget what was judged',
      description:
        'Takes away the content, what was said about it and what was learnt from it, in every case about it; ' +
        'verdict, seal and decisions stay.',
      params: one,
      answers: { status: 200, schema: schemas.forgotten, description: 'How many cases were affected.' },
    }),
  ] as const;
}
