import type { Question } from '../../../debate/index.ts';
import { affirmativeAnswer } from './affirmative.ts';
import { dissentingAnswer } from './dissenting.ts';
import { factorAgentAnswer } from './factor-agent.ts';
import { outlookAnswer } from './outlook.ts';
import { synthesizerAnswer } from './synthesizer.ts';
import { zeroShotAnswer } from './zero-shot.ts';

export { documentWeights, weighClaim, type Signal, type Weighed } from './weighing/index.ts';
export { ownTurn } from './own-turn.ts';
export { isDocumentCase, judgedProse, showsItsLanguage } from './prose.ts';

/**
 * How each role argues about a document, by its id. They are code over its words, numbers and tables: no model is
 * asked.
 */
export const documentRoles: Record<string, (question: Question) => Promise<unknown>> = {
  'factor-agent': factorAgentAnswer,
  affirmative: affirmativeAnswer,
  dissenting: dissentingAnswer,
  synthesizer: synthesizerAnswer,
  single: synthesizerAnswer,
  outlook: outlookAnswer,
  'zero-shot': zeroShotAnswer,
};
