import type { Agon } from '../app/index.ts';
import { resultOf, type Verdict } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import type { LearningJob } from '@agonhq/judges/job';
import { isAllowed, type Clause, type ClauseExample, type Policy } from '@agonhq/engine/policy';
import type { ItemLine } from '@agonhq/engine/items';
import type { ClauseReliability } from '@agonhq/models/reasoners';
import { isMistake } from './mistakes.ts';
import { runItems } from './run-items.ts';

/** How a clause fared on its own examples. */
export interface ClauseReport {
  clause: string;
  examples: number;
  missed: { kind: 'violation' | 'exoneration'; example: ClauseExample; outcome: string }[];
  /** Everyday texts that were judged too, and how many of them this clause flagged. */
  everyday?: { judged: number; flagged: string[] };
  /** How well the embedded reasoner tells a clause of the user's own; absent for those it was trained for. */
  embedded?: ClauseReliability;
}

export interface TestPolicyOptions {
  agon: Pick<Agon, 'judge'>;
  /** What the examples are judged as. */
  job: LearningJob;
  /** Only these clauses or categories. */
  only?: readonly string[];
  /** Harmless texts to be judged beside the examples: what a clause flags of them are false alarms. */
  everyday?: readonly string[];
  /** How well the embedded reasoner tells clauses, where it sits. */
  reliability?: readonly ClauseReliability[];
  concurrency: number;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

interface ExampleTrial {
  category: string;
  clause: Clause;
  kind: 'violation' | 'exoneration';
  example: ClauseExample;
}

type Trial = ExampleTrial | { kind: 'everyday'; example: ClauseExample };

/** What came of a trial: `right` or what went wrong, and the clauses that were named. */
interface Outcome {
  words: string;
  clauses: readonly string[];
}

/**
 * Judges a policy's own examples. A violation is caught when it is unsafe under its clause's category, unless the
 * policy allows the clause: then that is the mistake. An exoneration is judged right when it is safe.
 */
export async function testPolicy(policy: Policy, options: TestPolicyOptions): Promise<ClauseReport[]> {
  const unknown = options.only?.find(
    (id) =>
      !policy.categories.some((category) => category.id === id || category.clauses.some((clause) => clause.id === id)),
  );
  if (unknown !== undefined)
    throw new AgonError('no-such-clause', `The policy has no clause or category ${JSON.stringify(unknown)}.`, {
      library: 'Name a clause or a category of the policy.',
      cli: '`agon policy show` lists them.',
      api: 'GET /api/policies/{hash} lists them.',
    });
  const { agon, job, everyday = [] } = options;
  const examples = listTrials(policy, options.only);
  const trials: Trial[] = [...examples, ...everyday.map((text) => ({ kind: 'everyday' as const, example: { text } }))];
  const outcomes = new Map<Trial, Outcome>();
  await runItems<Trial, null>({
    items: linesOf(trials),
    judge: async (trial, signal) => {
      const answer = await resultOf(
        agon.judge(job, job.learning.readExample(trial.example), { signal, withoutCopies: true }),
      );
      const { verdict } = job.debates(answer)[0]!;
      const clauses = verdict.label === 'unsafe' ? verdict.categories.map(({ clause }) => clause) : [];
      const words = trial.kind === 'everyday' ? verdict.label : describeOutcome(trial, verdict);
      outcomes.set(trial, { words, clauses });
      return null;
    },
    write: async ({ line, error }) => {
      if (error) outcomes.set(trials[line]!, { words: `failed: ${error.message}`, clauses: [] });
    },
    concurrency: options.concurrency,
    isFatal: isMistake,
    onProgress: ({ judged, failed }) => options.onProgress?.(judged + failed, trials.length),
    signal: options.signal,
  });
  const clauses = new Map<string, ClauseReport>();
  for (const trial of examples) {
    const { clause, kind, example } = trial;
    const report = clauses.get(clause.id) ?? { clause: clause.id, examples: 0, missed: [] };
    report.examples += 1;
    const { words } = outcomes.get(trial)!;
    if (words !== 'right') report.missed.push({ kind, example, outcome: words });
    clauses.set(clause.id, report);
  }
  return [...clauses.values()].map((report) => {
    const embedded = options.reliability?.find(({ clause }) => clause === report.clause);
    const flagged = trials.flatMap((trial) =>
      trial.kind === 'everyday' && outcomes.get(trial)!.clauses.includes(report.clause) ? [trial.example.text!] : [],
    );
    return {
      ...report,
      ...(everyday.length > 0 ? { everyday: { judged: everyday.length, flagged } } : {}),
      ...(embedded ? { embedded } : {}),
    };
  });
}

function listTrials(policy: Policy, only: readonly string[] | undefined): ExampleTrial[] {
  return policy.categories.flatMap((category) =>
    category.clauses
      .filter((clause) => !only || only.includes(clause.id) || only.includes(category.id))
      .map((clause) => ({ category: category.id, clause }))
      .flatMap((at) => [
        ...at.clause.violations.map((example) => ({ ...at, kind: 'violation' as const, example })),
        ...at.clause.exonerations.map((example) => ({ ...at, kind: 'exoneration' as const, example })),
      ]),
  );
}

async function* linesOf(trials: readonly Trial[]): AsyncGenerator<ItemLine<Trial>, void, void> {
  for (const [line, item] of trials.entries()) yield { line, key: String(line), item };
}

function describeOutcome({ kind, category, clause }: ExampleTrial, { label, categories }: Verdict<string>): string {
  if (kind === 'exoneration' && label === 'safe') return 'right';
  if (kind === 'violation' && isAllowed(clause))
    return categories.some((named) => named.clause === clause.id) ? 'unsafe under the clause that is allowed' : 'right';
  if (label !== 'unsafe') return label;
  if (kind === 'violation' && categories.some(({ id }) => id === category)) return 'right';
  return `unsafe under ${categories.map(({ clause }) => clause).join(', ') || 'no clause'}`;
}
