import { listSteps, type Ladder } from '../../../view/index.ts';
import { findingEvidence, findingsOf } from './quotations.ts';
import type { ReadableAnswer } from './readable-answer.ts';
import { rules } from './rules.ts';
import { outcomeOf } from './words.ts';

/**
 * The arbiter's findings in the order of their priority: which were checked, why they did or did not hold, which
 * decided.
 */
export function ladderOf(answer: ReadableAnswer): Ladder {
  const findings = findingsOf(answer);
  const decided = rules.findIndex(({ ids }) => (ids as readonly string[]).includes(answer.verdict.rule.id));
  const steps = listSteps(
    rules.map(({ concept, ...rule }) => ({
      ...rule,
      finding: (concept && findings?.[concept]) ?? null,
      evidence: concept ? findingEvidence(answer, concept) : [],
      notChecked: findings
        ? 'Not applied: it is for findings that agree that no risk holds.'
        : 'Not checked: the arbiter gave no usable answer.',
    })),
    decided,
    'exchange',
  );
  return { steps, outcome: decided >= 0 ? null : (outcomeOf(answer.verdict.rule.id) ?? '') };
}
