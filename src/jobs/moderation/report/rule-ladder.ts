import { listSteps, type Ladder, describeOutcome } from '../../../view/index.ts';
import { findingsOf, type ModerationAnswer } from './moderation-answer.ts';
import { findingEvidence } from './quotations.ts';
import { rules } from './rules.ts';

/** The three rules in the order of their priority: which were checked, why they did or did not apply, which decided. */
export function ladderOf(answer: ModerationAnswer): Ladder {
  const findings = findingsOf(answer);
  const decided = rules.findIndex((rule) => rule.id === answer.verdict.rule.id);
  const steps = listSteps(
    rules.map(({ side, ...rule }) => ({
      ...rule,
      finding: (side && findings?.[side]) ?? null,
      evidence: side ? findingEvidence(answer, side) : [],
      notChecked: findings
        ? 'Not applied: default safety is for arguments that were heard and left a doubt.'
        : 'Not checked: the arbiter gave no usable answer.',
    })),
    decided,
    'content',
  );
  return { steps, outcome: decided >= 0 ? null : (describeOutcome(answer.verdict.rule.id) ?? '') };
}
