import type { Agon } from '../app/index.ts';
import { resultOf, type Verdict } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import type { LearningJob } from '../jobs/index.ts';
import type { Clause, Example, Policy } from '../policy/index.ts';
import type { ItemLine } from '../items/index.ts';
import { isMistake } from './mistakes.ts';
import { runItems } from './run-items.ts';

/** How a clause fared on its own examples. */
export interface ClauseReport {
  clause: string;
  examples: number;
  missed: { kind: 'violation' | 'exoneration'; example: Example; outcome: string }[];
}

export interface TestPolicyOptions {
  agon: Pick<Agon, 'judge'>;
  /** What the examples are judged as. */
  job: LearningJob;
  /** Only these clauses or categories. */
  only?: readonly string[];
  concurrency: number;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

interface Trial {
  category: string;
  clause: Clause;
  kind: 'violation' | 'exoneration';
  example: Example;
}

/**
 * Judges a policy's own examples. A violation is caught when it is unsafe under its clause's category;
 * an exoneration is judged right when it is safe.
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
  const trials = trialsOf(policy, options.only);
  const { agon, job } = options;
  const outcomes: string[] = [];
  await runItems<Trial, string>({
    items: linesOf(trials),
    judge: async (trial, signal) => {
      const answer = await resultOf(agon.judge(job, job.learning.readExample(trial.example), { signal }));
      return outcomeOf(trial, job.debates(answer)[0]!.verdict);
    },
    write: async ({ line, result, error }) => {
      outcomes[line] = error ? `failed: ${error.message}` : String(result);
    },
    concurrency: options.concurrency,
    isFatal: isMistake,
    onProgress: ({ judged, failed }) => options.onProgress?.(judged + failed, trials.length),
    signal: options.signal,
  });
  const clauses = new Map<string, ClauseReport>();
  trials.forEach(({ clause, kind, example }, index) => {
    const report = clauses.get(clause.id) ?? { clause: clause.id, examples: 0, missed: [] };
    report.examples += 1;
    if (outcomes[index] !== 'right') report.missed.push({ kind, example, outcome: outcomes[index]! });
    clauses.set(clause.id, report);
  });
  return [...clauses.values()];
}

function trialsOf(policy: Policy, only: readonly string[] | undefined): Trial[] {
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

function outcomeOf({ kind, category }: Trial, { label, categories }: Verdict<string>): string {
  if (kind === 'exoneration') return label === 'safe' ? 'right' : label;
  if (label !== 'unsafe') return label;
  if (categories.some(({ id }) => id === category)) return 'right';
  return `unsafe under ${categories.map(({ clause }) => clause).join(', ') || 'no clause'}`;
}
