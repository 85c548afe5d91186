import { showPhrase } from '@agonhq/engine/view';
import {
  evaluationTerms,
  explainVerdict,
  nameBehaviour,
  nameConcept,
  nameWarning,
} from '@agonhq/judges/evaluation/evaluation-terms';
import { readSource } from '../../trial/trial-view.ts';
import type { TrialJob } from '../console-job.ts';
import { describeTerms } from '../job-parts.ts';
import { readShownExchange } from './read-exchange.ts';
import { TurnDetails } from './turn-details.tsx';

/** Auditors, detectors, a critic and an arbiter, in the space of three risk concepts. */
export const evaluationTrial: TrialJob = {
  id: 'evaluation',
  title: 'Evaluation',
  usesPolicy: true,
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
  readSources: (sources) => readShownExchange(sources.map(readSource)),
  readAnswer: (answer) =>
    answer.job === 'evaluation'
      ? {
          sources: readShownExchange(answer.sources.map(readSource), answer.subject.turns),
          verdict: answer.verdict,
          contextShown: answer.subject.contextShown ?? [],
        }
      : {},
  listWarnings: (answer) =>
    answer.job === 'evaluation'
      ? answer.warnings.map(({ kind, seat, detail }) => ({ title: showPhrase(nameWarning(kind)), seat, detail }))
      : [],
  TurnDetails,
};
