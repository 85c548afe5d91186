import { isObservation, findTurns, type Answer } from '../../debate/index.ts';
import type { Outcome, Retrial } from '../../retrials/index.ts';
import type { ChangedCase, ImpactReport } from './impact.ts';
import { toOneLine } from '../../text/index.ts';

/** What a clause had to do with the changes. */
export interface ClauseImpact {
  /** Null where no clause was named before or after. */
  clause: string | null;
  /** `safe → unsafe`: how many flips of cases that named it, before or after. */
  flips: Record<string, number>;
  /** Cases that name it now and did not, and those that did and do not. */
  entered: number;
  left: number;
  /** Some of these cases. */
  examples: readonly string[];
}

type Counted = Pick<
  ImpactReport,
  | 'cases'
  | 'unchanged'
  | 'flips'
  | 'otherClauses'
  | 'byClause'
  | 'escalated'
  | 'degraded'
  | 'embedded'
  | 'recalled'
  | 'argued'
>;

const examplesKept = 5;

/** Counts retrials under another policy. */
export function impactTally() {
  const counts = { cases: 0, unchanged: 0, otherClauses: 0, degraded: 0, embedded: 0, recalled: 0, argued: 0 };
  const escalated = { before: 0, after: 0 };
  const flips = new Map<string, number>();
  const clauses = new Map<
    string | null,
    { flips: Map<string, number>; entered: number; left: number; examples: string[] }
  >();

  return {
    /** Counts one, and says what changed in it; null when nothing did. */
    add(id: string, { before, after, flipped, recalled, argued, answer }: Retrial): ChangedCase | null {
      counts.cases += 1;
      counts.recalled += recalled.length;
      counts.argued += argued.length;
      if (before.escalate) escalated.before += 1;
      if (after.escalate) escalated.after += 1;
      if (lacksVoices(answer as Answer)) counts.degraded += 1;
      if ((after.models['arbiter'] ?? after.models['judge'])?.startsWith('embedded:')) counts.embedded += 1;
      const entered = after.categories.filter((clause) => !before.categories.includes(clause));
      const left = before.categories.filter((clause) => !after.categories.includes(clause));
      if (!flipped && entered.length === 0 && left.length === 0) {
        counts.unchanged += 1;
        return null;
      }
      const pair = flipped ? `${before.label} → ${after.label}` : null;
      if (pair === null) counts.otherClauses += 1;
      else increment(flips, pair);
      const named = pair === null ? [...entered, ...left] : [...new Set([...before.categories, ...after.categories])];
      for (const clause of named.length > 0 ? named : [null]) {
        const seen = clauseAt(clause);
        if (pair !== null) increment(seen.flips, pair);
        if (clause !== null && entered.includes(clause)) seen.entered += 1;
        if (clause !== null && left.includes(clause)) seen.left += 1;
        if (seen.examples.length < examplesKept) seen.examples.push(id);
      }
      return {
        case: id,
        again: after.id,
        flipped,
        before: outcome(before),
        after: outcome(after),
        excerpt: excerptOf(answer as Answer),
      };
    },
    report(): Counted {
      const byClause = [...clauses].map(([clause, { flips: of, ...rest }]) => ({ clause, flips: sorted(of), ...rest }));
      const weight = ({ flips: of, entered, left }: ClauseImpact) =>
        Object.values(of).reduce((sum, number) => sum + number, 0) * 1e6 + entered + left;
      return {
        ...counts,
        escalated: { ...escalated },
        flips: sorted(flips),
        byClause: byClause.toSorted((a, b) => weight(b) - weight(a)),
      };
    },
  };

  function clauseAt(clause: string | null) {
    let seen = clauses.get(clause);
    if (!seen) clauses.set(clause, (seen = { flips: new Map(), entered: 0, left: 0, examples: [] }));
    return seen;
  }
}

function lacksVoices({ transcript }: Answer): boolean {
  return findTurns(transcript).some(({ fallback }) => fallback !== undefined);
}

function outcome({ label, score, escalate, rule, categories }: Outcome): ChangedCase['before'] {
  return { label, score, escalate, rule: rule.id, clauses: categories };
}

const longestExcerpt = 160;

function excerptOf({ sources }: Answer): string {
  const text = (sources.find((source) => !isObservation(source)) ?? sources[0])?.text ?? '';
  return toOneLine(text.slice(0, longestExcerpt).toWellFormed());
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a));
}
