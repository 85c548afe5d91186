import type { Prompt, Question, Role } from './role.ts';

const prompts = new WeakMap<Question, WeakMap<Role, Prompt>>();

/**
 * A role's words for a question. The hash of a turn's input and whoever answers need the same ones: they are laid out
 * once.
 */
export function promptFor(role: Role, question: Question): Prompt {
  let ofQuestion = prompts.get(question);
  if (!ofQuestion) prompts.set(question, (ofQuestion = new WeakMap()));
  let prompt = ofQuestion.get(role);
  if (!prompt) ofQuestion.set(role, (prompt = role.prompt(question)));
  return prompt;
}
