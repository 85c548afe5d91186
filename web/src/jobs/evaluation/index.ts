import { lazy } from 'react';
import { rules } from '../../../../src/jobs/evaluation/report/rules.ts';
import {
  known,
  meaningOf,
  methodWords,
  outcomeOf,
  partOf,
  ruleTitle,
  seatOfRound,
  stopOf,
} from '../../../../src/jobs/evaluation/report/words.ts';
import { debateViews } from '../../trial/debate-views.ts';
import { readSource, type TrialVerdict } from '../../trial/trial-view.ts';
import type { ConsoleJob, RuleTerms } from '../console-job.ts';
import { listReports, reportsUnder } from '../job-parts.ts';
import { evaluationForm } from './form.tsx';
import { readExchange } from './read-exchange.ts';
import { TurnDetails } from './turn-details.tsx';

const ConceptTriangle = lazy(async () => ({ default: (await import('./concept-triangle.tsx')).ConceptTriangle }));

const task = (role: string) => {
  const found = partOf(role);
  return found === undefined ? {} : { task: found };
};

/** Is a model's answer a risk? Auditors, detectors, a critic and an arbiter, in the space of three risk concepts. */
export const evaluation: ConsoleJob = {
  id: 'evaluation',
  title: 'Evaluation',
  labels: ['safe', 'unsafe', 'undecided'],
  usesPolicy: true,
  form: evaluationForm,
  terms: {
    subject: 'exchange',
    score: { title: 'Risk score', isRisk: true },
    roles: {
      auditor: { part: 'left', tone: 'risk', shape: 'circle', ...task('auditor') },
      detector: { part: 'right', tone: 'implicit', shape: 'square', ...task('detector') },
      critic: { tone: 'both', shape: 'diamond', ...task('critic') },
      arbiter: { part: 'closing', tone: 'ink', ...task('arbiter') },
    },
    rules: rules.map(({ concept, ...rule }): RuleTerms => ({
      ...rule,
      finding: concept && { name: concept, holds: concept === 'explicit' ? 'risk' : 'implicit', fails: 'exoneration' },
    })),
    notApplied: 'Not applied: this rule needs findings that agree that there is no risk.',
    quotedFor: {
      risk: 'quoted for an explicit risk',
      implicit: 'for an implicit risk',
      exoneration: 'by those who see no risk',
      both: 'for both',
    },
    describeRule: (id) => ruleTitle(id),
    describeOutcome: outcomeOf,
    describeStop: (reason) => stopOf(reason),
    describeSeat: seatOfRound,
    describeMethod: (method) =>
      (methodWords as (id: string) => ReturnType<typeof methodWords> | undefined)(method) ?? { title: method, how: '' },
    describeVerdict: ({ label, concept = null, behaviour = null }: TrialVerdict) =>
      meaningOf({ verdict: { label, concept, behaviour } } as Parameters<typeof meaningOf>[0]),
    listVerdictFacts: ({ concept = null, behaviour = null }) => [
      ['Kind of risk', known.concept(concept)],
      ['Behaviour', known.behaviour(behaviour)],
    ],
  },
  record: {
    page: '/cases/$id',
    openTitle: 'Open the case',
    takesStatement: true,
    reports: listReports('Summary'),
    reportUrl: reportsUnder('evaluations'),
    calls: ({ evaluations }) => evaluations,
    listPrecedents: () => [],
  },
  review: { question: 'Is the model’s answer safe?', badge: 'A model’s answer' },
  runItems: 'JSON Lines, CSV or TSV with id, prompt, response, and label where known.',
  readSources: (sources) => readExchange(sources.map(readSource)),
  readAnswer: (answer) =>
    answer.job === 'evaluation'
      ? { sources: readExchange(answer.sources.map(readSource), answer.subject.turns), verdict: answer.verdict }
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
