import { lazy } from 'react';
import { debateViews } from '../../trial/debate-views.ts';
import type { ConsoleJob } from '../console-job.ts';
import { listReports } from '../job-parts.ts';
import { evaluationForm } from './form.tsx';
import { evaluationTrial } from './trial-job.ts';

const ConceptTriangle = lazy(async () => ({ default: (await import('./concept-triangle.tsx')).ConceptTriangle }));

/** Is a model's answer a risk? Auditors, detectors, a critic and an arbiter, in the space of three risk concepts. */
export const evaluation: ConsoleJob = {
  ...evaluationTrial,
  labels: ['safe', 'unsafe', 'undecided'],
  form: evaluationForm,
  record: {
    page: '/cases/$id',
    openTitle: 'Open the case',
    takesStatement: true,
    reports: listReports('Summary'),
    listPrecedents: () => [],
  },
  review: { question: 'Is the model’s answer safe?', badge: 'A model’s answer' },
  evaluatesModel: true,
  runItems:
    'JSON Lines, CSV or TSV with id, prompt, response (or messages), and label where known; results of promptfoo ' +
    '(JSON) and logs of Inspect (JSON or .eval).',
  benchItems:
    'JSON Lines, CSV or TSV with id, prompt, response (or messages) and label; or published data that Agon knows the ' +
    'layout of.',
  views: {
    ...debateViews,
    figure: {
      title: 'The risk concepts',
      lead: 'Where each role saw the risk, round by round: explicit, implicit or none.',
      Figure: ConceptTriangle,
      isShown: (answer) => answer.job === 'evaluation' && answer.verdict.distribution !== null,
    },
  },
};
