import { AgonError } from '../errors.ts';
import type { Content, ModerationAnswer } from '../jobs/moderation/index.ts';
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
  moderate: (content: Content, signal: AbortSignal) => Promise<ModerationAnswer>;
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
  const outcomes: string[] = [];
  await runItems<Trial, ModerationAnswer>({
    items: linesOf(trials),
    judge: ({ example }, signal) => options.moderate(contentOf(example), signal),
    write: async ({ line, result, error }) => {
      outcomes[line] = error ? `failed: ${error.message}` : outcomeOf(trials[line]!, result as ModerationAnswer);
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
      .flatMap((clause) => [
        ...clause.violations.map((example) => ({ category: category.id, clause, kind: 'violation' as const, example })),
        ...clause.exonerations.map((example) => ({
          category: category.id,
          clause,
          kind: 'exoneration' as const,
          example,
        })),
      ]),
  );
}

async function* linesOf(trials: readonly Trial[]): AsyncGenerator<ItemLine<Trial>, void, void> {
  for (const [line, item] of trials.entries()) yield { line, key: String(line), item };
}

function contentOf({ text, imageDescription }: Example): Content {
  return {
    ...(text === undefined ? {} : { text }),
    ...(imageDescription === undefined ? {} : { images: [{ description: imageDescription }] }),
  };
}

function outcomeOf({ kind, category }: Trial, { verdict }: ModerationAnswer): string {
  if (kind === 'exoneration') return verdict.label === 'safe' ? 'right' : verdict.label;
  if (verdict.label !== 'unsafe') return verdict.label;
  if (verdict.categories.some(({ id }) => id === category)) return 'right';
  return `unsafe under ${verdict.categories.map(({ clause }) => clause).join(', ') || 'no clause'}`;
}
