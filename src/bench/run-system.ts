import { noUsage } from '../debate/index.ts';
import { AgonError } from '../errors.ts';
import { hashOf } from '../hash.ts';
import { isMistake, runItems, type ItemLine, type Progress } from '../runs/index.ts';
import type { LabelledData } from './data-file.ts';
import type { LabelledItem } from './labelled-item.ts';
import type { Outcome } from './outcome.ts';
import type { BenchResults, Judged } from './results.ts';
import type { BenchSystem, Judgement } from './system.ts';

export interface RunSystemOptions {
  results: BenchResults;
  concurrency: number;
  onProgress?: (progress: Progress) => void;
  onError?: (error: AgonError, line: number) => void;
  signal?: AbortSignal;
}

/** One system over one set of data. */
export interface SystemRun {
  system: BenchSystem;
  /** In the order of the data. */
  outcomes: readonly Outcome[];
  judged: readonly Judged[];
  /** Items judged in a second; null when all of them were judged by an earlier run. */
  itemsPerSecond: number | null;
  summary: Progress;
}

/** Judges every item of the data; what an earlier run of the same configuration judged is taken from the results. */
export async function runSystem(system: BenchSystem, data: LabelledData, options: RunSystemOptions): Promise<SystemRun> {
  const { results, ...conditions } = options;
  const lines = data.lines.map((line) => ({ ...line, key: keyOf(system, line) }));
  const started = performance.now();
  const summary = await runItems<LabelledItem, Judgement & Judged>({
    ...conditions,
    items: inTurn(lines),
    judge: (item, signal) => judge(system, item, signal),
    write: results.write,
    done: new Set(results.judged.keys()),
    total: lines.length,
    isFatal: isMistake,
  });
  const seconds = (performance.now() - started) / 1000;
  return {
    system,
    outcomes: lines.map((line) => outcomeOf(line, results.judged.get(line.key))),
    judged: lines.flatMap(({ key }) => results.judged.get(key) ?? []),
    itemsPerSecond: summary.judged === 0 ? null : summary.judged / seconds,
    summary,
  };
}

async function judge(system: BenchSystem, { content }: LabelledItem, signal: AbortSignal): Promise<Judgement & Judged> {
  if (AgonError.is(content)) throw content;
  const started = performance.now();
  const judgement = await system.judge(content, signal);
  return { ...judgement, usage: judgement.usage ?? noUsage, latencyMs: Math.round((performance.now() - started) * 100) / 100 };
}

/** The same item of the same system under the same configuration, whatever else the file holds. */
function keyOf(system: BenchSystem, line: ItemLine<LabelledItem>): string {
  const item = 'item' in line && !AgonError.is(line.item.content) ? line.item.content : null;
  return `${system.name}/${hashOf([system.configuration, system.calibration ?? null, item]).slice(7, 19)}/${line.key}`;
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  yield* items;
}

function outcomeOf(line: ItemLine<LabelledItem>, judged: Judged | undefined): Outcome {
  const known = 'item' in line ? line.item : { unsafe: null, category: null, looksLikeRefusal: false };
  return {
    unsafe: known.unsafe,
    said: judged?.label ?? 'failed',
    score: judged ? (judged.probability ?? judged.score) : null,
    rawScore: judged?.score ?? null,
    category: known.category,
    looksLikeRefusal: known.looksLikeRefusal,
  };
}
