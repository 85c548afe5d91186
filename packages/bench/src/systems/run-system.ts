import { noUsage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { hashOf } from '@agonhq/engine/hash';
import type { ItemLine } from '@agonhq/engine/items';
import { isMistake, runItems, type Progress } from '@agonhq/core/runs';
import type { LabelledItem, SubjectItem } from '../datasets/labelled-item.ts';
import type { LabelledData } from '../datasets/read-dataset.ts';
import type { KeptAnswer, Results } from './results.ts';
import type { BenchSystem, ItemPlace, SystemJudgement } from './system.ts';

/** What a run of one system over one set of data is given from outside: to be seen, and to be stopped. */
export interface RunConditions {
  /** Items at once; of claims, documents. */
  concurrency: number;
  onProgress?: (progress: Progress) => void;
  onError?: (error: AgonError, line: number) => void;
  signal?: AbortSignal;
}

/** How a system is taken over a set of data. */
export interface RunOptions extends RunConditions {
  /** Which of several runs over the same data this is, from 1: each has judgements of its own. */
  repeat?: number;
  /**
   * By the item's key in the data, what a control may spend; none where the debate it is held against spent nothing.
   */
  tokens?: ReadonlyMap<string, number>;
}

/** Where a judgement is kept; of a claim also which of its document's judgements is its own. */
export interface JudgementKey {
  key: string;
  claim?: string;
}

/** What came of one item. */
export interface RunOutcome<Item, Kept> {
  /** Its number in the file. */
  line: number;
  /** Null for a broken line. */
  item: Item | null;
  /** Null when the item failed. */
  judged: Kept | null;
}

/** One system over one set of data, once. */
export interface SystemRun<Item = LabelledItem, Kept = KeptAnswer> {
  system: Pick<BenchSystem<never>, 'name' | 'configuration' | 'setup' | 'digests' | 'calibration'>;
  /** In the order of the data. */
  outcomes: readonly RunOutcome<Item, Kept>[];
  keys: readonly (JudgementKey | null)[];
  /** By line, why an item failed. */
  problems: ReadonlyMap<number, AgonError>;
  judged: readonly Kept[];
  /** Items judged in a second; null when all of them were judged by an earlier run. */
  itemsPerSecond: number | null;
  summary: Progress;
}

/** Judges every item of the data; what an earlier run of the same configuration judged is taken from the results. */
export async function runSystem<Subject, Item extends SubjectItem<Subject>, Kept extends KeptAnswer>(
  system: BenchSystem<Subject>,
  data: LabelledData<Item>,
  options: RunOptions & { results: Results<Kept> },
): Promise<SystemRun<Item, Kept>> {
  const { results, repeat = 1, tokens, ...conditions } = options;
  const lines = data.lines.map((line) => ({ ...line, resultKey: makeResultKey(system, line, repeat) }));
  const problems = new Map<number, AgonError>();
  const started = performance.now();
  const summary = await runItems<Placed<Item>, SystemJudgement & Pick<KeptAnswer, 'usage' | 'latencyMs'>>({
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
      problems.set(line, error);
      conditions.onError?.(error, line);
    },
    done: new Set(results.judged.keys()),
    total: lines.length,
    isFatal: isMistake,
  });
  const seconds = (performance.now() - started) / 1000;
  const outcomes = lines.map((line) => ({
    line: line.line,
    item: 'item' in line ? line.item : null,
    judged: results.judged.get(line.resultKey) ?? null,
  }));
  return {
    system,
    outcomes,
    keys: lines.map(({ resultKey }) => ({ key: resultKey })),
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
  { subject }: SubjectItem<Subject>,
  signal: AbortSignal,
  place: ItemPlace,
): Promise<SystemJudgement & Pick<KeptAnswer, 'usage' | 'latencyMs'>> {
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
function makeResultKey<Subject>(
  system: BenchSystem<Subject>,
  line: ItemLine<SubjectItem<Subject>>,
  repeat: number,
): string {
  const subject = 'item' in line && !AgonError.is(line.item.subject) ? line.item.subject : null;
  const made = hashOf([system.configuration, system.calibration ?? null, subject]).slice(7, 19);
  return `${system.name}/${repeat === 1 ? '' : `repeat-${repeat}/`}${made}/${line.key}`;
}

/** As what is run asks for it. */
export async function* inTurn<Item>(items: readonly Item[]): AsyncGenerator<Item, void, void> {
  yield* items;
}
