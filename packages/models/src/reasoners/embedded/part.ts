import type { CaseFile, Question, Role, RoleKey } from '@agonhq/engine/debate';
import type { Unjudged } from './language/route-language.ts';

/** A role that this reasoner can fill: how it argues, and by which words its language is told. */
export interface EmbeddedPart<Answer = unknown, Case extends CaseFile = never> {
  role: RoleKey<Answer>;
  argue: (question: Question<Case>, signal: AbortSignal) => Promise<Answer>;
  /** Whether its answer is the verdict. */
  decides?: true;
  findLanguage: (caseFile: Case) => Promise<Unjudged | null>;
}

/** A role is told by its id and its schema: two jobs may call a role the same. */
export function isPartOf<Answer, Case extends CaseFile>(
  part: EmbeddedPart,
  role: Role<Answer, Case>,
): part is EmbeddedPart<Answer, Case> {
  return part.role.id === role.id && part.role.schema === role.schema;
}
