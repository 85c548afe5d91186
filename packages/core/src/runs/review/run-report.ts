import type { ItemError, Ledger, RunCounts, RunRow } from '@agonhq/ledger';
import { readItemPages } from '../results/export-results.ts';
import { describePlan, type PlanDescription } from './describe-plan.ts';
import { clopperPearson, ratio } from '@agonhq/engine/statistics';

/** Everything that is to be said about a run. */
export interface RunReport extends Omit<RunRow, 'settings'> {
  version: 1;
  counts: RunCounts;
  /** Null for a run that keeps no plan: one of `agon moderate --file`. */
  plan: PlanDescription | null;
  cascade: CascadeReport | null;
  failures: readonly FailureKind[];
  quality: Quality | null;
  /** What the run has spent and set aside of its budget. */
  committed: { tokens: number; usd: number };
}

/** What the first tier did. */
export interface CascadeReport {
  decided: number;
  debated: number;
  /** Share of the judged items that the guard decided alone. */
  shareDecided: number;
  /** The bound that was asked for. */
  bound: { risk: number; confidence: number } | null;
  /** On decided items that came with a label; the interval holds the true share with 95 % confidence. */
  risk: { items: number; wrong: number; share: number; interval: readonly [number, number] } | null;
  /**
   * What debating the decided items too would have taken, at the mean of those that were debated; null while none
   * was.
   */
  saved: { calls: number; costUsd: number | null } | null;
}

export interface FailureKind {
  code: string;
  items: number;
  examples: readonly { line: number; key: string; error: ItemError }[];
}

/** Over judged items that came with a label. Unsafe is the positive class; an undecided item is an error. */
export interface Quality {
  items: number;
  accuracy: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  /** `unsafe as safe`: how many of each. */
  confusion: Record<string, number>;
}

/** Puts together what `agon runs show` says. */
export async function reportRun(ledger: Ledger, run: RunRow): Promise<RunReport> {
  const { settings, ...row } = run;
  const counts = await ledger.runs.countItems(run.id);
  const plan = describePlan(settings);
  return {
    version: 1,
    ...row,
    counts,
    plan,
    cascade: plan?.cascade || counts.byGuard > 0 ? cascadeReport(counts, plan) : null,
    failures: await failureKinds(ledger, run.id, counts),
    quality: await qualityOf(ledger, run.id, counts),
    committed: await ledger.runs.readCommitted(run.id),
  };
}

function cascadeReport(
  { done, byGuard, usage, expected: { guardRight, guardWrong } }: RunCounts,
  plan: PlanDescription | null,
): CascadeReport {
  const debated = done - byGuard;
  const labelled = guardRight + guardWrong;
  return {
    decided: byGuard,
    debated,
    shareDecided: done === 0 ? 0 : byGuard / done,
    bound: plan?.cascade ? { risk: plan.cascade.risk, confidence: plan.cascade.confidence } : null,
    risk:
      labelled === 0
        ? null
        : {
            items: labelled,
            wrong: guardWrong,
            share: guardWrong / labelled,
            interval: clopperPearson(guardWrong, labelled),
          },
    saved:
      debated === 0
        ? null
        : {
            calls: Math.round((byGuard * usage.calls) / debated),
            costUsd: usage.costUsd === null ? null : (byGuard * usage.costUsd) / debated,
          },
  };
}

const examplesShown = 3;

/** The failures by kind, with the first lines of each; no further than it takes to find those. */
async function failureKinds(ledger: Ledger, run: string, { failuresByCode }: RunCounts): Promise<FailureKind[]> {
  const kinds = new Map(
    Object.entries(failuresByCode).map(([code, items]) => [
      code,
      { code, items, examples: [] as FailureKind['examples'][number][] },
    ]),
  );
  const lacking = () =>
    [...kinds.values()].some(({ items, examples }) => examples.length < Math.min(items, examplesShown));
  if (lacking()) {
    for await (const page of readItemPages(ledger, run, { states: ['failed'] })) {
      for (const { position, key, error } of page) {
        const examples = error && kinds.get(error.code)?.examples;
        if (examples && examples.length < examplesShown) examples.push({ line: position, key, error });
      }
      if (!lacking()) break;
    }
  }
  return [...kinds.values()].toSorted((a, b) => b.items - a.items);
}

async function qualityOf(ledger: Ledger, run: string, { expected }: RunCounts): Promise<Quality | null> {
  if (Object.values(expected).every((number) => number === 0)) return null;
  const outcomes = await ledger.runs.countOutcomes(run);
  const count = (matches: (truth: string, label: string) => boolean) =>
    outcomes.reduce((sum, { expected: truth, label, items }) => (matches(truth, label) ? sum + items : sum), 0);
  const items = count(() => true);
  if (items === 0) return null;
  const found = count((truth, label) => truth === 'unsafe' && label === 'unsafe');
  const there = count((truth) => truth === 'unsafe');
  const falseAlarms = count((truth, label) => truth === 'safe' && label !== 'safe');
  return {
    items,
    accuracy: count((truth, label) => truth === label) / items,
    precision: ratio(found, found + falseAlarms),
    recall: ratio(found, there),
    f1: ratio(2 * found, there + found + falseAlarms),
    confusion: Object.fromEntries(outcomes.map((one) => [`${one.expected} as ${one.label}`, one.items])),
  };
}
