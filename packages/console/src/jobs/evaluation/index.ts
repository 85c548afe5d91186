import { lazy } from 'react';
import {
  evaluationTerms,
  explainVerdict,
  nameBehaviour,
  nameConcept,
} from '@agonhq/judges/evaluation/evaluation-terms';
import { showPhrase } from '@agonhq/engine/view';
import { debateViews } from '../../trial/debate-views.ts';
import { readSource } from '../../trial/trial-view.ts';
import type { ConsoleJob } from '../console-job.ts';
import { describeTerms, listReports } from '../job-parts.ts';
import { evaluationForm } from './form.tsx';
import { readShownExchange } from './read-exchange.ts';
import { TurnDetails } from './turn-details.tsx';

const ConceptTriangle = lazy(async () => ({ default: (await import('./concept-triangle.tsx')).ConceptTriangle }));

/** Is a model's answer a risk? Auditors, detectors, a critic and an arbiter, in the space of three risk concepts. */
export const evaluation: ConsoleJob = {
  id: 'evaluation',
  title: 'Evaluation',
  labels: ['safe', 'unsafe', 'undecided'],
  usesPolicy: true,
  form: evaluationForm,
  terms: {
    ...describeTerms(evaluationTerms, {
      auditor: { part: 'left', tone: 'risk', shape: 'circle' },
      detector: { part: 'right', tone: 'implicit', shape: 'square' },
      critic: { tone: 'both', shape: 'diamond' },
      arbiter: { part: 'closing', tone: 'ink' },
    }),
    quotedFor: {
      risk: 'quoted for an explicit risk',
      implicit: 'for an implicit risk',
      exoneration: 'by those who see no risk',
      both: 'for both',
    },
    describeVerdict: ({ label, concept = null, behaviour = null }) => explainVerdict({ label, concept, behaviour }),
    listVerdictFacts: ({ concept = null, behaviour = null }) => [
      ['Kind of risk', showPhrase(nameConcept(concept))],
      ['Behaviour', showPhrase(nameBehaviour(behaviour))],
    ],
  },
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
  readSources: (sources) => readShownExchange(sources.map(readSource)),
  readAnswer: (answer) =>
    answer.job === 'evaluation'
      ? {
          sources: readShownExchange(answer.sources.map(readSource), answer.subject.turns),
          verdict: answer.verdict,
          contextShown: answer.subject.contextShown ?? [],
        }
      : {},
  views: {
    ...debateViews,
    TurnDetails,
    figure: {
      title: 'The risk concepts',
      lead: 'Where each role saw the risk, round by round: explicit, implicit or none.',
      Figure: ConceptTriangle,
      isShown: (answer) => answer.job === 'evaluation' && answer.verdict.distribution !== null,
    },
  },
};
