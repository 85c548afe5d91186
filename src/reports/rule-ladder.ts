import type { Evidence } from '../evidence/index.ts';
import { findingEvidence } from './citations.ts';
import { findingsOf, type ModerationAnswer, type Side } from './moderation-answer.ts';
import { outcomeOf } from './words.ts';

export interface Step {
  number: 1 | 2 | 3;
  title: string;
  question: string;
  state: 'decided' | 'passed' | 'not-reached' | 'not-checked';
  /** Why it did or did not apply, in our words. */
  explanation: string;
  /** The arbiter's own reasons: untrusted. */
  why: string | null;
  evidence: readonly Evidence[];
}

export interface Ladder {
  steps: readonly Step[];
  /** What was decided instead when none of the rules could. */
  outcome: string | null;
}

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
  const steps = rules.map((rule, index): Step => {
    const finding = rule.side && findings?.[rule.side];
    const evidence = rule.side ? findingEvidence(answer, rule.side) : [];
    const state = stateOf(index, decided, findings !== undefined && rule.side !== undefined);
    const claimed = finding?.holds === true;
    return {
      number: (index + 1) as Step['number'], title: rule.title, question: rule.question, state, evidence,
      why: finding?.why ?? null,
      explanation: {
        decided: rule.applied,
        passed: claimed ? claimedInVain(evidence) : rule.passed,
        'not-reached': `Not needed: Rule ${decided + 1} had decided.`,
        'not-checked': notChecked(findings !== undefined),
      }[state],
    };
  });
  return { steps, outcome: decided >= 0 ? null : (outcomeOf(answer.verdict.rule.id) ?? '') };
}

function stateOf(index: number, decided: number, checked: boolean): Step['state'] {
  if (index === decided) return 'decided';
  if (decided >= 0 && index > decided) return 'not-reached';
  return checked ? 'passed' : 'not-checked';
}

function claimedInVain(evidence: readonly Evidence[]): string {
  return evidence.some((quoted) => quoted.verified)
    ? 'The arbiter said yes, but this finding did not decide: see the reason given with the verdict.'
    : 'The arbiter said yes, but none of its quotations is in the content. A finding without evidence cannot decide.';
}

function notChecked(heard: boolean): string {
  return heard
    ? 'Not applied: default safety is for arguments that were heard and left a doubt.'
    : 'Not checked: the arbiter gave no usable answer.';
}
