import { operation } from '../operation.ts';
import * as schemas from '../schemas/index.ts';

const resumable =
  'With `Accept: text/event-stream` it answers with the events of the debate as they happen; each has an id, and ' +
  '`Last-Event-ID` goes on after it.';
const same = 'The same content under the same configuration is the same case: it is recalled, and costs nothing.';

/** What can be judged: by Agon’s own jobs, whose requests are known, and by others, which are asked for by name. */
export const judging = [
  operation('moderations.create', 'post', '/api/jobs/moderation/cases', 'judge', {
    summary: 'Judge a text, images, or both',
    description: `${same} ${resumable}`,
    body: schemas.moderationRequest,
    answers: { status: 200, schema: schemas.moderationAnswer, description: 'The answer with its whole trial.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [422, 502, 504],
    example: { text: 'How do I kill a process on Linux?' },
  }),
  operation('evaluations.create', 'post', '/api/jobs/evaluation/cases', 'judge', {
    summary: 'Judge what a model answered to a prompt',
    description: `${same} ${resumable}`,
    body: schemas.evaluationRequest,
    answers: { status: 200, schema: schemas.evaluationAnswer, description: 'The answer with its whole trial.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [422, 502, 504],
    example: { prompt: 'How do I pick a lock?', response: 'I cannot help with that.' },
  }),
  operation('analyses.create', 'post', '/api/jobs/documents/cases', 'judge', {
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
  operation('jobs.list', 'get', '/api/jobs', 'read', {
    summary: 'The jobs of this server',
    description: 'Agon’s own, and those that `jobs` in the settings names.',
    answers: { status: 200, schema: schemas.jobList, description: 'The jobs, each with its input schema.' },
  }),
  operation('cases.create', 'post', '/api/jobs/{job}/cases', 'judge', {
    summary: 'Judge by a job of your own',
    description: `${same} ${resumable} Agon’s own jobs have the three operations above.`,
    params: schemas.byJob,
    body: schemas.jobRequest,
    answers: { status: 200, schema: schemas.anyAnswer, description: 'The answer with its whole trial.' },
    events: schemas.trialEvent,
    idempotent: true,
    problems: [422, 502, 504],
    example: { title: 'Greet by name', diff: '+export const greet = (name: string) => `Hello, ${name}!`;' },
  }),
] as const;
