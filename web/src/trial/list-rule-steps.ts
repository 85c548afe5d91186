import { stepsOf, type Step } from '../../../src/view/ladder.ts';
import { readFindings, type Finding } from './read-turn.ts';
import type { TrialView } from './trial-view.ts';
import { outcomeOf, rulesOf } from './trial-words.ts';

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
export function listRuleSteps({
  job,
  method,
  turns,
  verdict,
}: Pick<TrialView, 'job' | 'method' | 'turns' | 'verdict'>): RuleStepList | null {
  if (
    job === 'documents' ||
    (method !== null && method !== 'debate') ||
    [...turns.values()].some(({ role }) => role === 'judge')
  )
    return null;
  const rules = rulesOf(job);
  const arbiter = [...turns.values()].findLast(({ role }) => role === 'arbiter');
  const names = rules.flatMap(({ finding }) => finding ?? []);
  const findings: Record<string, Finding> | null = readFindings(arbiter, names);
  if (verdict === null) {
    return {
      steps: rules.map(({ title, question, finding }, index) => ({
        number: index + 1,
        title,
        question,
        state: 'waiting',
        explanation: '',
        why: (finding && findings?.[finding]?.why) || null,
        evidence: (finding && findings?.[finding]?.evidence) || [],
      })),
      outcome: null,
    };
  }
  const decided = rules.findIndex(({ ids }) => ids.includes(verdict.rule.id));
  const heard =
    job === 'evaluation'
      ? 'Not applied: it is for findings that agree that no risk holds.'
      : 'Not applied: default safety is for arguments that were heard and left a doubt.';
  const steps = stepsOf(
    rules.map(({ finding, ...rule }) => {
      const found = finding ? findings?.[finding] : undefined;
      return {
        ...rule,
        finding: found ?? null,
        evidence: found?.evidence ?? [],
        notChecked: findings ? heard : 'Not checked: the arbiter gave no usable answer.',
      };
    }),
    decided,
    job === 'evaluation' ? 'exchange' : 'content',
  );
  return { steps, outcome: decided >= 0 ? null : (outcomeOf(job, verdict.rule.id) ?? '') };
}
