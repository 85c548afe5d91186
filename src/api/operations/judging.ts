import { z } from 'zod';
import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';
import { defineCaseGroup } from './case-group.ts';

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

const ofOwnJob = { list: z.strictObject({}), one: byId };

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
  ...defineCaseGroup({
    group: 'moderations',
    base: '/api/moderations',
    what: 'moderations',
    answer: schemas.moderationAnswer,
    params: ofOwnJob,
  }),
  feedbackOn('moderations'),
] as const;
export const evaluations = [
  ...defineCaseGroup({
    group: 'evaluations',
    base: '/api/evaluations',
    what: 'evaluations',
    answer: schemas.evaluationAnswer,
    params: ofOwnJob,
  }),
  feedbackOn('evaluations'),
] as const;
export const analyses = defineCaseGroup({
  group: 'analyses',
  base: '/api/analyses',
  what: 'analyses of documents',
  answer: schemas.analysis,
  params: ofOwnJob,
});

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
  ...defineCaseGroup({
    group: 'jobCases',
    base: '/api/jobs/{job}/cases',
    what: 'the cases of a job',
    answer: schemas.anyAnswer,
    params: { list: schemas.byJob, one: schemas.byJob.extend(byId.shape) },
  }),
] as const;
