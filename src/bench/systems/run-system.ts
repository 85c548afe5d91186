import type { ItemLine } from '../../items/index.ts';
import { noUsage } from '../../debate/index.ts';
import { AgonError } from '../../errors.ts';
import { hashOf } from '../../hash.ts';
import { isMistake, runItems, type Progress } from '../../runs/index.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { ItemOutcome } from '../jobs/safety/metrics.ts';
import type { BenchResults, KeptJudgement } from './results.ts';
import type { BenchSystem, ItemPlace, Judgement } from './system.ts';

/** How a system is taken over a set of data. */
export interface RunOptions<Kept> {
  results: Kept;
  /** Items at once; of claims, documents. */
  concurrency: number;
  /** Which of several runs over the same data this is, from 1: each has judgements of its own. */
  repeat?: number;
  /**
   * By the item's key in the data, what a control may spend; none where the debate it is held against spent nothing.
   */
  tokens?: ReadonlyMap<string, number>;
  onProgress?: (progress: Progress) => void;
  onError?: (error: AgonError, line: number) => void;
  signal?: AbortSignal;
}

/** One system over one set of data, once. */
export interface SystemRun<Item extends LabelledItem<unknown>> {
  system: Pick<BenchSystem<never>, 'name' | 'configuration' | 'setup' | 'calibration'>;
  /** In the order of the data. */
  outcomes: readonly ItemOutcome<Item>[];
  /** Under which key each judgement is kept. */
  keys: readonly string[];
  /** By line, why an item failed. */
  problems: ReadonlyMap<number, string>;
  judged: readonly KeptJudgement[];
  /** Items judged in a second; null when all of them were judged by an earlier run. */
  itemsPerSecond: number | null;
  summary: Progress;
}

/** Judges every item of the data; what an earlier run of the same configuration judged is taken from the results. */
export async function runSystem<Subject, Item extends LabelledItem<Subject>>(
  system: BenchSystem<Subject>,
  data: LabelledData<Item>,
  options: RunOptions<BenchResults>,
): Promise<SystemRun<Item>> {
  const { results, repeat = 1, tokens, ...conditions } = options;
  const lines = data.lines.map((line) => ({ ...line, resultKey: resultKeyOf(system, line, repeat) }));
  const problems = new Map<number, string>();
  const started = performance.now();
  const summary = await runItems<Placed<Item>, Judgement & Pick<KeptJudgement, 'usage' | 'latencyMs'>>({
    ...conditions,
    items: inTurn(
      lines.map(
        ({ resultKey, ...line }) =>
          ({
            ...line,
            key: resultKey,
            ...('item' in line ? { item: { item: line.item, line: line.line, key: line.key } } : {}),
          }) as ItemLine<Placed<Item>>,
      ),
    ),
    judge: ({ item, line, key }, signal) =>
      judge(system, item, signal, {
        line,
        ...(item.id === undefined ? {} : { id: item.id }),
        ...(tokens ? { tokens: tokens.get(key) ?? null } : {}),
      }),
    write: results.write,
    onError: (error, line) => {
      problems.set(line, `${error.message} (${error.code})`);
      conditions.onError?.(error, line);
    },
    done: new Set(results.judged.keys()),
    total: lines.length,
    isFatal: isMistake,
  });
  const seconds = (performance.now() - started) / 1000;
  const outcomes = lines.map((line) => outcomeOf(line, results.judged.get(line.resultKey) ?? null));
  return {
    system,
    outcomes,
    keys: lines.map(({ resultKey }) => resultKey),
    problems,
    judged: outcomes.flatMap(({ judged }) => judged ?? []),
    itemsPerSecond: summary.judged === 0 ? null : summary.judged / seconds,
    summary,
  };
}

interface Placed<Item> {
  item: Item;
  line: number;
  key: string;
}

async function judge<Subject>(
  system: BenchSystem<Subject>,
  { subject }: LabelledItem<Subject>,
  signal: AbortSignal,
  place: ItemPlace,
): Promise<Judgement & Pick<KeptJudgement, 'usage' | 'latencyMs'>> {
  if (AgonError.is(subject)) throw subject;
  const started = performance.now();
  const judgement = await system.judge(subject, signal, place);
  const taken = Math.round((performance.now() - started) * 100) / 100;
  return {
    ...judgement,
    usage: judgement.usage ?? noUsage,
    latencyMs: judgement.latencyMs === undefined ? taken : judgement.latencyMs,
  };
}

/** The same item of the same system under the same configuration, whatever else the file holds. */
function resultKeyOf<Subject>(
  system: BenchSystem<Subject>,
  line: ItemLine<LabelledItem<Subject>>,
  repeat: number,
): string {
  const subject = 'item' in line && !AgonError.is(line.item.subject) ? line.item.subject : null;
  const made = hashOf([system.configuration, system.calibration ?? null, subject]).slice(7, 19);
  return `${system.name}/${repeat === 1 ? '' : `repeat-${repeat}/`}${made}/${line.key}`;
}

async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  yield* items;
}

function outcomeOf<Item extends LabelledItem<unknown>>(
  line: ItemLine<Item>,
  judged: KeptJudgement | null,
): ItemOutcome<Item> {
  const item = 'item' in line ? line.item : null;
  return {
    line: line.line,
    item,
    judged,
    unsafe: item?.unsafe ?? null,
    said: judged?.label ?? 'failed',
    score: judged ? (judged.probability ?? judged.score) : null,
    rawScore: judged?.score ?? null,
  };
}
