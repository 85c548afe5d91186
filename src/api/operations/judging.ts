import { z } from 'zod';
import { findingFilters, findingSorts } from '../../jobs/documents/index.ts';
import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const { byId } = schemas;

const resumable =
  'With `Accept: text/event-stream` it answers with the events of the debate as they happen; each has an id, and ' +
  '`Last-Event-ID` goes on after it.';
const same = 'The same content under the same configuration is the same case: it is recalled, and costs nothing.';

/** What can be asked to be judged, and looked at by id. */
export const judging = [
  operation('moderations.create', 'post', '/api/moderations', 'judge', {
    summary: 'Judge a text, images, or both',
    description: `${same} ${resumable}`,
    body: schemas.moderationRequest,
    answers: { status: 200, schema: schemas.moderationAnswer, description: 'The answer with its whole trial.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [422, 502, 504],
    example: { text: 'How do I kill a process on Linux?' },
  }),
  operation('evaluations.create', 'post', '/api/evaluations', 'judge', {
    summary: 'Judge what a model answered to a prompt',
    description: `${same} ${resumable}`,
    body: schemas.evaluationRequest,
    answers: { status: 200, schema: schemas.evaluationAnswer, description: 'The answer with its whole trial.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [422, 502, 504],
    example: { prompt: 'How do I pick a lock?', response: 'I cannot help with that.' },
  }),
  operation('analyses.create', 'post', '/api/analyses', 'judge', {
    summary: 'Judge the claims of documents',
    description:
      'PDF, XLSX, CSV, JSON, DOCX, HTML, Markdown, text and images; several files are one dossier. ' + resumable,
    body: schemas.analysisRequest,
    upload: {
      name: 'file',
      least: 1,
      most: 20,
      description: 'The documents. Folders in file names are dropped.',
    },
    answers: { status: 200, schema: schemas.analysis, description: 'The debate trace.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [415, 422, 502, 504],
  }),
] as const;

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
const ofOwnJob = { list: z.strictObject({}), one: byId };
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
function casesOf<
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

/** What is safe or unsafe can be said to be wrong; the claims of documents are corrected one by one. */
function feedbackOn<const Group extends string>(group: Group) {
  return operation(`${group}.feedback`, 'post', `/api/${group}/{id}/feedback`, 'review', {
    summary: 'Say what the right verdict was',
    params: byId,
    body: schemas.feedbackRequest,
    answers: { status: 201, schema: schemas.feedbackGiven, description: 'The decisions now recorded.' },
    idempotent: true,
    problems: [409, 422],
    example: { label: 'safe', why: 'It is a line from a play.' },
  });
}

export const moderations = [
  ...casesOf({
    group: 'moderations',
    base: '/api/moderations',
    what: 'moderations',
    answer: schemas.moderationAnswer,
    params: ofOwnJob,
  }),
  feedbackOn('moderations'),
] as const;
export const evaluations = [
  ...casesOf({
    group: 'evaluations',
    base: '/api/evaluations',
    what: 'evaluations',
    answer: schemas.evaluationAnswer,
    params: ofOwnJob,
  }),
  feedbackOn('evaluations'),
] as const;
export const analyses = casesOf({
  group: 'analyses',
  base: '/api/analyses',
  what: 'analyses of documents',
  answer: schemas.analysis,
  params: ofOwnJob,
});

/** What people say of the claims of an analysis. */
export const corrections = [
  operation('corrections.create', 'post', '/api/analyses/{id}/corrections', 'review', {
    summary: 'Correct the verdict on a claim',
    description:
      'The analysis stays as it is, and the correction stands beside it, in its reports too. Later analyses recall it: ' +
      'the same claim on the same evidence takes its label, a claim alike is shown it and is less sure. Only code can ' +
      'make a claim `verified-strong` or `contradicted`: who says so is shown as a person who says so.',
    params: byId,
    body: schemas.correctionRequest,
    answers: { status: 201, schema: schemas.correction, description: 'The correction now recorded.' },
    idempotent: true,
    problems: [409, 410, 422],
    example: { claim: '2', label: 'supported', why: 'The margin is stated before freight.' },
  }),
  operation('corrections.ofCase', 'get', '/api/analyses/{id}/corrections', 'read', {
    summary: 'The corrections of an analysis',
    params: byId,
    query: schemas.correctionsQuery,
    answers: { status: 200, schema: schemas.correctionList, description: 'In the order they were made.' },
  }),
  operation('corrections.list', 'get', '/api/corrections', 'read', {
    summary: 'The corrections of all analyses',
    query: schemas.correctionsQuery,
    answers: { status: 200, schema: schemas.correctionList, description: 'In the order they were made.' },
  }),
  operation('corrections.withdraw', 'post', '/api/corrections/{id}/withdrawal', 'review', {
    summary: 'Take a correction back',
    description: 'It stays on record, and later analyses no longer recall it.',
    params: byId,
    body: schemas.withdrawalRequest,
    answers: { status: 200, schema: schemas.correction, description: 'The correction, withdrawn.' },
    problems: [409],
    example: { why: 'I misread the table.' },
  }),
] as const;

/** What people make of the findings of an analysis for its report. */
export const findings = [
  operation('findings.ofCase', 'get', '/api/analyses/{id}/findings', 'read', {
    summary: 'What people made of the findings of an analysis',
    params: byId,
    answers: { status: 200, schema: schemas.findingEditList, description: 'The last word on each finding.' },
  }),
  operation('findings.edit', 'put', '/api/analyses/{id}/findings/{finding}', 'review', {
    summary: 'Word a finding, note something on it, or leave it out of exports',
    description:
      'For the reports of this analysis: `wording` and `note` stand in them beside what the machine says, under the ' +
      'person’s name. What the request does not say is taken away.',
    params: schemas.byFinding,
    body: schemas.findingEditRequest,
    answers: { status: 200, schema: schemas.findingEdit, description: 'What is now kept.' },
    problems: [409, 410],
    example: { wording: 'The margin is 41 %, not 45 %.', note: 'Ask the auditor.' },
  }),
] as const;

/** Any job, by its name. */
export const jobs = [
  operation('jobs.list', 'get', '/api/jobs', 'read', {
    summary: 'The jobs of this server',
    description: 'Agon’s own, and those that `jobs` in the settings names.',
    answers: { status: 200, schema: schemas.jobList, description: 'The jobs, each with its input schema.' },
  }),
  operation('jobCases.create', 'post', '/api/jobs/{job}/cases', 'judge', {
    summary: 'Judge by any job',
    description: `${same} ${resumable}`,
    params: schemas.byJob,
    body: schemas.jobRequest,
    answers: { status: 200, schema: schemas.anyAnswer, description: 'The answer with its whole trial.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [422, 502, 504],
    example: { title: 'Greet by name', diff: '+export const greet = (name: string) => `Hello, ${name}!`;' },
  }),
  ...casesOf({
    group: 'jobCases',
    base: '/api/jobs/{job}/cases',
    what: 'the cases of a job',
    answer: schemas.anyAnswer,
    params: { list: schemas.byJob, one: schemas.byJob.extend(byId.shape) },
  }),
] as const;

/** Cases of all jobs. */
export const cases = [
  operation('cases.list', 'get', '/api/cases', 'read', {
    summary: 'List cases of all jobs, the newest first',
    query: schemas.allCasesQuery,
    answers: { status: 200, schema: schemas.casePage, description: 'A page of cases.' },
  }),
  operation('cases.get', 'get', '/api/cases/{id}', 'read', {
    summary: 'A case with its complete record',
    params: byId,
    answers: {
      status: 200,
      schema: schemas.caseRecord,
      description: 'The case: content, answer, decisions, retrials.',
    },
  }),
  operation('cases.stop', 'post', '/api/cases/{id}/stop', 'judge', {
    summary: 'Stop a running trial',
    description:
      'For everybody who listens, at once. What was argued is on record: judged again, the trial goes on from there.',
    params: byId,
    answers: { status: 200, schema: schemas.stopped, description: 'Whether a trial was stopped.' },
  }),
  operation('cases.around', 'get', '/api/cases/{id}/around', 'read', {
    summary: 'Cases of the same author and of the same thread',
    params: byId,
    answers: { status: 200, schema: schemas.casesAround, description: 'A few of each, by the context of the case.' },
  }),
  operation('cases.similar', 'get', '/api/cases/{id}/similar', 'read', {
    summary: 'Cases about similar content',
    params: byId,
    query: schemas.similarQuery,
    answers: { status: 200, schema: schemas.similarCases, description: 'Most similar first.' },
    problems: [410],
  }),
  operation('cases.calls', 'get', '/api/cases/{id}/calls', 'read', {
    summary: 'What was sent to models for a turn, and what they said',
    description:
      'The exact prompt, the raw reply, tokens, cost, time, cache and retries of every attempt; never a key. Of a turn ' +
      'by the embedded model, how it reads the case.',
    params: byId,
    query: schemas.callsQuery,
    answers: { status: 200, schema: schemas.turnCalls, description: 'Every attempt, in order.' },
    problems: [410],
  }),
  operation('cases.disclosures', 'get', '/api/cases/{id}/disclosures', 'read', {
    summary: 'What left the machine for a case, and to whom',
    description:
      'By provider and model: when, how many requests and bytes, which kinds of personal data were masked and which ' +
      'went as they are, images and recordings. The values themselves are not in it.',
    params: byId,
    answers: { status: 200, schema: schemas.caseDisclosures, description: 'In the order they were first asked.' },
    problems: [410],
  }),
  operation('cases.bundle', 'get', '/api/cases/{id}/bundle', 'read', {
    summary: 'The evidence of a case, signed, for others to check',
    description:
      'Answer, subject, policy, precedents, prompts, models, decisions and records in one file, which `agon verify` and ' +
      'the page at `/verifier.html` check without this server. The same records make the same bytes.',
    params: byId,
    query: schemas.bundleQuery,
    answers: { status: 200, media: ['application/zip'], description: 'The bundle.' },
    problems: [409, 410],
  }),
  operation('cases.opening', 'get', '/api/cases/{id}/bundle/opening', 'admin', {
    summary: 'What opens the redacted bundle of a case',
    description: 'The salts and what was left out. Whoever has it can read the content, and prove that it was judged.',
    params: byId,
    answers: { status: 200, media: ['application/json'], description: 'For `agon verify --opening`.' },
    problems: [409, 410],
  }),
  operation('cases.attachments', 'get', '/api/cases/{id}/attachments', 'read', {
    summary: 'The images, recordings and documents of a case',
    params: byId,
    answers: { status: 200, schema: schemas.attachmentList, description: 'Their names and types, without the bytes.' },
  }),
  operation('cases.attachment', 'get', '/api/cases/{id}/attachments/{hash}', 'read', {
    summary: 'An image, a recording or a document that was judged',
    params: byId.extend({ hash: schemas.hash }),
    answers: {
      status: 200,
      media: ['image/*', 'audio/*', 'video/*', 'application/pdf', 'application/octet-stream'],
      description: 'Its bytes; with `Range`, a part of them (206).',
    },
  }),
] as const;
