import type { Turn, Verdict } from '../debate/index.ts';
import type { Evidence } from '../evidence/index.ts';
import type { DebateTerms } from './debate-view.ts';
import { findWords } from './describe.ts';
import { readFindings, type ReadableTurn, type ReadFinding } from './read-turn.ts';

/** A rule that code applies to what the arbiter found, in our words. */
export interface LadderRule {
  title: string;
  question: string;
  applied: string;
  passed: string;
  notChecked: string;
  /** What the arbiter found under it; null where there is nothing to find, or where it was not heard. */
  finding: { why: string; holds: boolean } | null;
  evidence: readonly Evidence[];
}

/** One rule in the order of their priority: whether it was checked, and what came of it. */
export interface LadderStep {
  number: number;
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
  steps: readonly LadderStep[];
  /** What was decided instead when none of the rules could. */
  outcome: string | null;
}

/** What the arbiter found under each rule; null when there was none, or when it was not heard. */
export function readRuleFindings(
  { rules }: Pick<DebateTerms, 'rules'>,
  turn: (Pick<Turn, 'evidence'> & ReadableTurn) | undefined,
): Map<string, ReadFinding> | null {
  if (!turn || turn.fallback) return null;
  return readFindings(
    turn,
    rules.flatMap(({ finding }) => finding?.name ?? []),
  );
}

/** The rules in the order of their priority, and what was decided where none of them did. */
export function viewRules(
  verdict: Pick<Verdict<string>, 'rule'>,
  { rules, notApplied, outcomes, subject }: Pick<DebateTerms, 'rules' | 'notApplied' | 'outcomes' | 'subject'>,
  findings: Map<string, ReadFinding> | null,
): Ladder {
  const decided = rules.findIndex(({ ids }) => ids.includes(verdict.rule.id));
  const steps = listSteps(
    rules.map((rule) => {
      const finding = (rule.finding && findings?.get(rule.finding.name)) ?? null;
      return {
        ...rule,
        finding,
        evidence: finding?.evidence ?? [],
        notChecked: findings ? notApplied : 'Not checked: the arbiter gave no usable answer.',
      };
    }),
    decided,
    subject,
  );
  return { steps, outcome: decided >= 0 ? null : (findWords(outcomes, verdict.rule.id) ?? '') };
}

/** Which rules were checked, why they did or did not apply, which decided. `judged` is the word for what was judged. */
export function listSteps(rules: readonly LadderRule[], decided: number, judged: string): LadderStep[] {
  return rules.map((rule, index) => {
    const state = stateOf(index, decided, rule.finding !== null);
    return {
      number: index + 1,
      title: rule.title,
      question: rule.question,
      state,
      evidence: rule.evidence,
      why: rule.finding?.why ?? null,
      explanation: {
        decided: rule.applied,
        passed: rule.finding?.holds ? claimedInVain(rule.evidence, judged) : rule.passed,
        'not-reached': `Not needed: Rule ${decided + 1} had decided.`,
        'not-checked': rule.notChecked,
      }[state],
    };
  });
}

function stateOf(index: number, decided: number, checked: boolean): LadderStep['state'] {
  if (index === decided) return 'decided';
  if (decided >= 0 && index > decided) return 'not-reached';
  return checked ? 'passed' : 'not-checked';
}

function claimedInVain(evidence: readonly Evidence[], judged: string): string {
  return evidence.some((quoted) => quoted.verified)
    ? 'The arbiter said yes, but this finding did not decide: see the reason given with the verdict.'
    : `The arbiter said yes, but none of its quotations is in the ${judged}. A finding without evidence cannot decide.`;
}
