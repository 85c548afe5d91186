import { type Step, listSteps } from '../../../src/view/index.ts';
import { type Finding, readFindings } from './read-turn.ts';
import { findRole, type TrialView } from './trial-view.ts';

/** A rule on its way: `waiting` until the arbiter has spoken. */
export type TrialStep = Omit<Step, 'state'> & { state: Step['state'] | 'waiting' };

export interface RuleStepList {
  steps: readonly TrialStep[];
  /** What was decided instead when none of the rules could. */
  outcome: string | null;
}

/**
 * The rules in the order of their priority, as far as the trial has come; null where no rules are applied: votes
 * decide.
 */
export function listRuleSteps(view: Pick<TrialView, 'job' | 'method' | 'turns' | 'verdict'>): RuleStepList | null {
  const { job, method, verdict } = view;
  const turns = [...view.turns.values()];
  const { rules, notApplied, subject, describeOutcome } = job.terms;
  const isDebate = (method === null || method === 'debate') && !turns.some(({ role }) => role === 'judge');
  if (rules.length === 0 || !isDebate) return null;
  const arbiter = turns.findLast(({ role }) => findRole(job, role).part === 'closing');
  const names = rules.flatMap(({ finding }) => finding?.name ?? []);
  const findings: Record<string, Finding> | null = readFindings(arbiter, names);
  if (verdict === null) {
    return {
      steps: rules.map(({ title, question, finding }, index) => ({
        number: index + 1,
        title,
        question,
        state: 'waiting',
        explanation: '',
        why: (finding && findings?.[finding.name]?.why) || null,
        evidence: (finding && findings?.[finding.name]?.evidence) || [],
      })),
      outcome: null,
    };
  }
  const decided = rules.findIndex(({ ids }) => ids.includes(verdict.rule.id));
  const steps = listSteps(
    rules.map(({ finding, ...rule }) => {
      const found = finding ? findings?.[finding.name] : undefined;
      return {
        ...rule,
        finding: found ?? null,
        evidence: found?.evidence ?? [],
        notChecked: findings ? notApplied : 'Not checked: the arbiter gave no usable answer.',
      };
    }),
    decided,
    subject,
  );
  return { steps, outcome: decided >= 0 ? null : (describeOutcome(verdict.rule.id) ?? '') };
}
