export { readExchange, type Exchange, type Message } from './exchange.ts';
export type { EvaluationCaseFile } from './case-file.ts';
export { behaviours, type Behaviour, type Critique, type Judgement, type ExchangeOpinion } from './answers.ts';
export * from './evaluation-answer.ts';
export { evaluationMethods, type EvaluationMethod, type EvaluationPlan } from './plan.ts';
export { type ExchangeShot } from './roles/judges.ts';
export { evaluationRoles } from './protocol.ts';
export { buildEvaluationProvenance } from './provenance.ts';
export { evaluation, type EvaluateOptions, type EvaluationEvent, type EvaluationSetup } from './evaluate.ts';
export {
  klDivergence,
  normalised,
  riskConcepts,
  smoothed,
  type Distribution,
  type RiskConcept,
} from './risk-concepts/distribution.ts';
export { fitReference, type FittedReference, type ReferenceItem } from './risk-concepts/reference.ts';
export { matchRefusal } from './refusals.ts';
export { countExchangeVote } from './opening-vote.ts';
export { verifyEvaluation } from './verify-evaluation.ts';
export { evaluationJob } from './job.ts';
export { evaluationRequestSchema } from './job.ts';
export { exchangeOfResult, resultsOfPromptfoo } from './imports/promptfoo.ts';
export { exchangeOfSample, samplesOfLog, samplesOfZip } from './imports/inspect-log.ts';
export { evaluationSettings } from './settings.ts';
