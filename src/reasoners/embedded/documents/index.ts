import type { Question } from '../../../debate/index.ts';
import { answerAffirmative } from './affirmative.ts';
import { answerDissenting } from './dissenting.ts';
import { answerFactorAgent } from './factor-agent.ts';
import { answerOutlook } from './outlook.ts';
import { answerSynthesizer } from './synthesizer.ts';
import { answerZeroShot } from './zero-shot.ts';

export { documentWeights, weighClaim, type Signal, type Weighed } from './weighing/index.ts';
export { waitForOwnTurn } from './own-turn.ts';
export { isDocumentCase, readJudgedProse, showsItsLanguage } from './prose.ts';

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
