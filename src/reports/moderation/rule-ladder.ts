import { stepsOf, type Ladder } from '../ladder.ts';
import { outcomeOf } from '../words.ts';
import { findingsOf, type ModerationAnswer, type Side } from './moderation-answer.ts';
import { findingEvidence } from './quotations.ts';

const rules: { id: string; title: string; question: string; side?: Side; applied: string; passed: string }[] = [
  {
    id: 'contextual-exoneration', title: 'Contextual exoneration', side: 'exoneration',
    question: 'Is there evidence of a benign context that outweighs the risk?',
    applied: 'Yes. The context exonerates the content, so it is safe, whatever the rules below would say.',
    passed: 'No. The arbiter found no benign context that outweighs the risk.',
  },
  {
    id: 'risk-confirmation', title: 'Risk confirmation', side: 'risk',
    question: 'Is there concrete evidence that the content breaks the policy?',
    applied: 'Yes. A concrete violation is confirmed by quoted evidence, so the content is unsafe.',
    passed: 'No. The arbiter found no concrete violation.',
  },
  {
    id: 'default-safety', title: 'Default safety',
    question: 'Is neither a benign context nor a violation established?',
    applied: 'Yes. Neither is established, and in doubt content is safe.',
    passed: 'It did not decide.',
  },
];

/** The three rules in the order of their priority: which were checked, why they did or did not apply, which decided. */
export function ladderOf(answer: ModerationAnswer): Ladder {
  const findings = findingsOf(answer);
  const decided = rules.findIndex((rule) => rule.id === answer.verdict.rule.id);
  const steps = stepsOf(rules.map(({ side, ...rule }) => ({
    ...rule,
    finding: (side && findings?.[side]) ?? null,
    evidence: side ? findingEvidence(answer, side) : [],
    notChecked: findings
      ? 'Not applied: default safety is for arguments that were heard and left a doubt.'
      : 'Not checked: the arbiter gave no usable answer.',
  })), decided, 'content');
  return { steps, outcome: decided >= 0 ? null : (outcomeOf(answer.verdict.rule.id) ?? '') };
}
