import type { CaseFile, Question, RoleKey } from '@agonhq/engine/debate';
import type { Unjudged } from './language/route-language.ts';

/** A role that this reasoner can fill: how it argues, and by which words its language is told. */
export interface EmbeddedPart<Answer = unknown, Case extends CaseFile = never> {
  role: RoleKey<Answer>;
  argue: (question: Question<Case>, signal: AbortSignal) => Promise<Answer>;
  /** Whether its answer is the verdict. */
  decides?: true;
  findLanguage: (caseFile: Case) => Promise<Unjudged | null>;
}
