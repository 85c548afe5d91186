import { compute, defineStep, type Degradation, type PastDecision, type Protocol } from '@agonhq/engine/debate';
import type { ModerationCase } from './case-file.ts';

/* Content that a person has decided against a verdict, posted again: who judges it otherwise leaves it to a person. */

export const pastDecisionStep = defineStep<PastDecision>('past-decision');

/** Puts on record what a person decided of the same content. */
export function recordPastDecision(past: PastDecision): Protocol<ModerationCase> {
  return compute(pastDecisionStep, () => past, past);
}

/** That a verdict is not what a person decided of the same content. */
export function describePastDecision({ case: id, label, at }: PastDecision): Degradation {
  const detail = `A person decided the same content ${label} (${id}, ${at.slice(0, 10)}).`;
  return { kind: 'decided-otherwise', at: pastDecisionStep.name, detail };
}
