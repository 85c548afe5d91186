import { AgonError } from '../../errors.ts';
import type { ItemQueue, TakenItem } from '../../ledger/index.ts';
import type { EndedItem } from './conduct-run.ts';
import type { Hands } from './hands.ts';
import { isMistake } from './mistakes.ts';
import { runItems } from '../run-items.ts';
import type { RunJudge } from './run-judge.ts';

/** What one process works on: items as they come, each with the judge of its run. */
export interface Shift {
  queue: ItemQueue;
  hands: Hands;
  /** Items of the queue, in the hands already, until there are no more for this process. */
  items: AsyncIterable<TakenItem>;
  judgeOf(run: string): Promise<RunJudge>;
  concurrency: number;
  /** Items in hand are broken off and given back. */
  signal: AbortSignal;
  onStart?: (item: TakenItem) => void;
  onEnd?: (ended: EndedItem) => Promise<void> | void;
  /** Something that only a person can put right, and that would befall every item of the run. When it throws, the shift ends with it. */
  onMistake(run: string, error: AgonError): Promise<void>;
}

/** Judges items until there are none: each gets a result, waits for another attempt, is set aside, or is given back. */
export async function workShift({ queue, hands, items, judgeOf, concurrency, signal, onStart, onEnd, onMistake }: Shift): Promise<void> {
  await runItems<TakenItem, null>({
    items: asLines(items),
    judge: work,
    write: async () => undefined,
    concurrency,
    order: 'as-done',
    // What befalls one item is settled with the queue; what comes out of it concerns the process.
    isFatal: () => true,
    signal,
  });

  async function work(item: TakenItem, stop: AbortSignal): Promise<null> {
    const own = hands.signalFor(item, stop);
    onStart?.(item);
    try {
      own.throwIfAborted();
      const result = await (await judgeOf(item.run)).judge(item, own);
      if (await queue.finish(item, result)) await onEnd?.({ item, outcome: { result } });
    } catch (error) {
      if (hands.isLost(item)) return null;
      if (own.aborted) await queue.giveBack([item]);
      else await failed(item, AgonError.is(error) ? error : unforeseen(error));
    } finally {
      hands.letGo(item);
    }
    return null;
  }

  async function failed(item: TakenItem, error: AgonError): Promise<void> {
    if (isMistake(error)) {
      await queue.giveBack([item]);
      await onMistake(item.run, error);
      return;
    }
    const { code, message, hint } = error;
    const state = await queue.fail(item, { code, message, hint }, { retry: mayPass.has(code) });
    if (state === 'failed') await onEnd?.({ item, outcome: { error: { code, message, hint } } });
  }
}

/** Another attempt may go better; what is wrong with the item itself stays wrong. */
const mayPass = new Set(['nobody-heard', 'internal', 'ledger-unreachable', 'locked-ledger', 'full-disk']);

async function* asLines(items: AsyncIterable<TakenItem>) {
  for await (const item of items) yield { line: item.position, key: item.key, item };
}

function unforeseen(error: unknown): AgonError {
  const message = error instanceof Error ? error.message : String(error);
  return new AgonError('internal', `Something unforeseen went wrong: ${message}`, 'Please report it.', { cause: error });
}
