import type { Question } from '../../../debate/index.ts';
import { answerAffirmative } from './affirmative.ts';
import { answerDissenting } from './dissenting.ts';
import { answerFactorAgent } from './factor-agent.ts';
import { answerOutlook, answerZeroShot } from './outlook.ts';
import { answerSynthesizer } from './synthesizer.ts';

export { documentWeights, type Signal, type Weighed } from './weighing/signal.ts';
export { weighClaim } from './weighing/weigh-claim.ts';
export { waitForOwnTurn, isDocumentCase, readJudgedProse, showsItsLanguage } from './prose.ts';

/**
 * How each role argues about a document, by its id. They are code over its words, numbers and tables: no model is
 * asked.
 */
export const documentRoles: Record<string, (question: Question) => Promise<unknown>> = {
  'factor-agent': answerFactorAgent,
  affirmative: answerAffirmative,
  dissenting: answerDissenting,
  synthesizer: answerSynthesizer,
  single: answerSynthesizer,
  outlook: answerOutlook,
  'zero-shot': answerZeroShot,
};
