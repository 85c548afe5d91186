export { readExchange, type Exchange, type Message } from './exchange.ts';
export type { EvaluationCase, EvaluationCaseFile, EvaluationTools } from './case-file.ts';
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
export { mostShots, type Shot } from './roles/judges.ts';
export { evaluationRoles, type EvaluationReasoners } from './protocol.ts';
export { buildProvenance } from './provenance.ts';
export { evaluation, type EvaluateOptions, type EvaluationEvent, type EvaluationSetup } from './evaluate.ts';
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
export { mixtureWeight, updatedPrior } from './risk-concepts/mixture-weight.ts';
export {
  applyReference,
  fitReference,
  readReference,
  type FittedReference,
  type ReferenceItem,
} from './risk-concepts/reference.ts';
export { matchRefusal, refusalPatterns, refusalPrefixes, type MatchMethod } from '../../refusals.ts';
export { countOpeningVote, type OpeningVote } from './opening-vote.ts';
export { verifyEvaluation } from './verify-evaluation.ts';
export { evaluationJob } from './job.ts';
export { exchangesIn, exchangeIn, holdsLines } from './imports/exchanges-in.ts';
export { evaluationSettings, type EvaluationSettings } from './settings.ts';
