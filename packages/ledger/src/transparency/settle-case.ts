import type { CaseOutcome } from '../index.ts';

/** What stands of a case. */
export interface SettledCase {
  /** `safe` or `unsafe`. */
  label: string;
  /** What is to be done; null where nobody said. */
  action: string | null;
  clauses: readonly string[];
  at: Date;
  by: 'machine' | 'person';
  /** The decision of the person. */
  decision: string | null;
}

/** Stages at which a person is still to decide. */
const waiting = new Set<CaseOutcome['stage']>(['first', 'second', 'dispute']);

/**
 * What stands of a case: the last decision of a person, else the verdict. Null while it waits for a person, and where
 * the machine left it undecided.
 */
export function settleCase(outcome: CaseOutcome): SettledCase | null {
  const { stage, decisions, label, action, clauses, closedAt } = outcome;
  if (waiting.has(stage)) return null;
  const last = decisions.at(-1);
  if (last) {
    const isSame = last.label === label;
    return {
      label: last.label,
      // Who agrees with the verdict without a word about the action agrees with that, too.
      action: last.action ?? (isSame ? action : last.label === 'safe' ? 'allow' : null),
      clauses: last.label === 'safe' ? [] : last.clause === null ? (isSame ? clauses : []) : [last.clause],
      at: last.at,
      by: 'person',
      decision: last.id,
    };
  }
  if (label !== 'safe' && label !== 'unsafe') return null;
  if (action === 'escalate') return null;
  return { label, action, clauses, at: closedAt, by: 'machine', decision: null };
}

export function isWithinPeriod(at: Date, { from, to }: { from: Date; to: Date }): boolean {
  return at >= from && at < to;
}
