import type { AgonError } from '@agonhq/engine/agon-error';
import { shortenWithin, toOneLine } from '@agonhq/engine/text';
import type { LabelledItem } from './datasets/labelled-item.ts';
import type { JobBench } from './job-bench.ts';
import type { BenchResult, BenchItemResult, ResultItem, SystemResult } from './result.ts';
import type { KeptAnswer } from './systems/results.ts';
import type { SystemRun } from './systems/run-system.ts';
import type { SystemDescription } from './systems/system.ts';

/** One system that was measured, with a run for each repeat. */
export interface MeasuredRepeats {
  system: SystemDescription;
  trained: SystemResult['trained'];
  runs: readonly SystemRun[];
}

/** What several systems said of one set of data. */
export function buildResult(
  bench: JobBench,
  about: Pick<BenchResult, 'data' | 'parameters' | 'notes'>,
  measured: readonly MeasuredRepeats[],
): BenchResult {
  const { outcomes } = measured[0]!.runs[0]!;
  const classes = bench.listClasses(new Set(outcomes.flatMap(({ item }) => item?.label ?? [])));
  return {
    job: bench.job,
    ...about,
    classes,
    positive: bench.positive,
    items: outcomes.map(({ line, item }) => describeItem(bench, line, item)),
    systems: measured.map((one) => buildSystemResult(bench, classes, one)),
  };
}

function buildSystemResult(
  bench: JobBench,
  classes: readonly string[],
  { system: { name, kind, models, of, rounds }, trained, runs }: MeasuredRepeats,
): SystemResult {
  const rates = runs.flatMap(({ itemsPerSecond }) => itemsPerSecond ?? []);
  return {
    name,
    kind,
    models,
    of,
    rounds,
    trained,
    configuration: runs[0]!.system.configuration,
    repeats: runs.map(({ outcomes, problems }) =>
      outcomes.map(({ line, judged }) => toItemResult(bench, judged, classes, describeProblem(problems.get(line)))),
    ),
    itemsPerSecond: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
  };
}

function describeProblem(error: AgonError | undefined): string | undefined {
  return error && `${error.message} (${error.code})`;
}

/** What a kept judgement is in a result; null for an item that failed. */
export function toItemResult(
  bench: JobBench,
  kept: KeptAnswer | null,
  classes: readonly string[],
  problem = 'Nothing was said of it.',
): BenchItemResult {
  if (!kept) return failItem(problem);
  const { usage, byModel, latencyMs, rule, turns } = kept;
  return { ...bench.readOutcome(kept, classes), usage, byModel, latencyMs, rule, problem: null, turns };
}

/** The result of an item that failed. */
export function failItem(problem: string): BenchItemResult {
  const unsaid = { score: null, opening: null, usage: null, byModel: {}, latencyMs: null, rule: null };
  return { said: 'failed', ...unsaid, problem, turns: [] };
}

const mostCharacters = 400;

function describeItem(bench: JobBench, line: number, item: LabelledItem | null): ResultItem {
  const { excerpt, model } = item ? bench.describeItem(item) : { excerpt: '', model: null };
  return {
    line,
    id: item?.id ?? null,
    gold: item?.label ?? null,
    category: item?.category ?? null,
    modality: item?.modality ?? null,
    trivial: item?.trivial ?? false,
    raters: item?.raters ?? null,
    model,
    excerpt: shortenWithin(toOneLine(excerpt), mostCharacters),
  };
}
