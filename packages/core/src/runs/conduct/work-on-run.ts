import { AgonError } from '@agonhq/engine/agon-error';
import type { ItemQueue, TakenItem } from '@agonhq/ledger';
import type { EndedItem } from './run-meter.ts';
import type { WorkerPool } from './worker-pool.ts';
import { countUnheardAtMost, isMistake, mayPass, modelsAwayError } from '../mistakes.ts';
import { runItems, describeUnforeseen } from '../run-items.ts';
import type { Judged, RunJudge } from './open-judge.ts';

/** What one process works on: items as they come, each with the judge of its run. */
export interface WorkOptions {
  queue: ItemQueue;
  pool: WorkerPool;
  /** Items of the queue, in the hands already, until there are no more for this process. */
  items: AsyncIterable<TakenItem>;
  judgeOf(run: string): Promise<RunJudge>;
  concurrency: number;
  /** Items in hand are broken off and given back. */
  signal: AbortSignal;
  onStart?: (item: TakenItem) => void;
  /** There is a verdict, and it does not stand yet: when the process ends in between, it is given and noted again. */
  onJudged?: (judged: EndedItem) => Promise<void>;
  /** Whatever came of it, the item is in this process's hands no more. */
  onLeave?: (item: TakenItem) => void;
  onEnd?: (ended: EndedItem) => Promise<void> | void;
  /**
   * Something that only a person can put right, and that would befall every item of the run. When it throws, the
   * shift ends with it.
   */
  onMistake(run: string, error: AgonError): Promise<void>;
}

/** What is judged while others are written: a transaction is the cheaper, the more it writes. */
const unwritten = 1_000;

/** Judges items until there are none: each gets a result, waits for another attempt, is set aside, or is given back. */
export async function workOnRun({
  queue,
  pool,
  items,
  judgeOf,
  concurrency,
  signal,
  onStart,
  onJudged,
  onLeave,
  onEnd,
  onMistake,
}: WorkOptions): Promise<void> {
  const unheard = new Map<string, number>();
  await runItems<TakenItem, Settled>({
    items: asLines(items),
    judge: work,
    write: async ({ result }) => (result as Settled).settled,
    concurrency,
    unwritten,
    order: 'as-done',
    // What befalls one item is settled with the queue; what comes out of it concerns the process.
    isFatal: () => true,
    signal,
  });

  /** Judges an item. Others may begin while its result is written: results of many are written together. */
  async function work(item: TakenItem, stop: AbortSignal): Promise<Settled> {
    onStart?.(item);
    const own = pool.signalFor(item, stop);
    let settled: Promise<void>;
    try {
      own.throwIfAborted();
      const judge = await judgeOf(item.run);
      const judged = await judge.judge(item, own);
      settled = settle(item, () => finished(item, own, judge, judged));
      settled.catch(() => undefined);
    } catch (error) {
      settled = settle(item, () => broken(item, own, error));
      await settled;
    }
    return { settled };
  }

  async function settle(item: TakenItem, outcome: () => Promise<EndedItem | null>): Promise<void> {
    let ended: EndedItem | null;
    try {
      ended = await outcome();
    } finally {
      pool.letGo(item);
      onLeave?.(item);
    }
    // Outside: the item has its outcome, so what goes wrong here is not its failure.
    if (ended) await onEnd?.(ended);
  }

  /** Null when the item waits again, or is somebody else's. */
  async function finished(
    item: TakenItem,
    own: AbortSignal,
    judge: RunJudge,
    { result, decided }: Judged,
  ): Promise<EndedItem | null> {
    try {
      unheard.delete(item.run);
      // Of one that has a label, the case has to be there for the label to be noted.
      const stands = decided && item.expected === null ? await queue.finishDecided(item, result, decided) : null;
      if (stands !== null) return stands ? { item, outcome: { result } } : null;
      const judged = { item, outcome: { result: decided ? await judge.keep(decided) : result } };
      await onJudged?.(judged);
      return (await queue.finishItem(item, judged.outcome.result)) ? judged : null;
    } catch (error) {
      return broken(item, own, error);
    }
  }

  async function broken(item: TakenItem, own: AbortSignal, error: unknown): Promise<EndedItem | null> {
    if (pool.isLost(item)) return null;
    if (!own.aborted) return failed(item, AgonError.is(error) ? error : describeUnforeseen(error));
    await queue.giveBackItems([item]);
    return null;
  }

  async function failed(item: TakenItem, error: AgonError): Promise<EndedItem | null> {
    if (isMistake(error)) {
      await queue.giveBackItems([item]);
      await onMistake(item.run, error);
      return null;
    }
    const { code, message, hint } = error;
    if (code === 'nobody-heard') {
      const inARow = (unheard.get(item.run) ?? 0) + 1;
      unheard.set(item.run, inARow);
      if (inARow >= countUnheardAtMost(concurrency)) {
        await queue.giveBackItems([item]);
        await onMistake(item.run, modelsAwayError(inARow));
        return null;
      }
    }
    const state = await queue.failItem(item, { code, message, hint }, { retry: mayPass(error) });
    return state === 'failed' ? { item, outcome: { error: { code, message, hint } } } : null;
  }
}

/** An item whose outcome is being written. */
interface Settled {
  settled: Promise<void>;
}

async function* asLines(items: AsyncIterable<TakenItem>) {
  for await (const item of items) yield { line: item.position, key: item.key, item };
}
