export { readExchange, type Exchange, type Message } from './exchange.ts';
export type { EvaluationCaseFile } from './case-file.ts';
export type { EvaluationTools } from './tools.ts';
export { behaviours, type Behaviour, type Critique, type Judgement, type Opinion } from './answers.ts';
export {
  mixtureStep,
  priorsStep,
  type EvaluationAnswer,
  type EvaluationProvenance,
  type EvaluationSubject,
  type EvaluationVerdict,
  type EvaluationWarning,
  type MixtureStep,
  type PriorsStep,
  type Speaker,
} from './evaluation-answer.ts';
export { evaluationMethods, type EvaluationMethod, type EvaluationPlan, type EvaluationSeat } from './plan.ts';
export { mostShots, type Shot } from './shots.ts';
export type { EvaluationReasoners } from './seating.ts';
export {
  evaluation,
  evaluationProvenanceOf,
  type EvaluateOptions,
  type EvaluationEvent,
  type EvaluationSetup,
} from './evaluate.ts';
export {
  jensenShannon,
  klDivergence,
  meanOf,
  mixOf,
  normalised,
  riskConcepts,
  riskOf,
  smoothed,
  uniform,
  type Distribution,
  type RiskConcept,
} from './risk-concepts/distribution.ts';
export { mixtureWeight } from './risk-concepts/mixture-weight.ts';
export { updatedPrior } from './risk-concepts/updated-prior.ts';
export {
  applyReference,
  fitReference,
  readReference,
  type FittedReference,
  type ReferenceItem,
} from './risk-concepts/reference.ts';
export { matchRefusal, refusalPatterns, refusalPrefixes, type MatchMethod } from '../../refusals.ts';
export { openingVote, type OpeningVote } from './opening-vote.ts';
export { verifyEvaluation } from './verify-evaluation.ts';
export { evaluationJob } from './job.ts';
export { exchangesIn, exchangeIn, holdsLines } from './imports/exchanges-in.ts';
export { evaluationSettings, type EvaluationSettings } from './settings.ts';
