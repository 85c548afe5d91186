import { AgonError } from '../errors.ts';
import type { ItemLine } from './item-lines.ts';
import { progressMeter, type Progress } from './progress.ts';
import type { ResultRecord } from './result-file.ts';

export interface RunItemsOptions<Item, Result> {
  items: AsyncIterable<ItemLine<Item>>;
  judge: (item: Item, signal: AbortSignal) => Promise<Result>;
  write: (record: ResultRecord) => Promise<void>;
  /** How many items are judged at once. */
  concurrency: number;
  /** Results come in the order of the input, or as they are done. */
  order?: 'input' | 'as-done';
  /** Keys of items that need not be judged again. */
  done?: ReadonlySet<string>;
  /** How many items there are, when the caller knows: for the time left. */
  total?: number;
  /** Errors that would befall every item: the run ends with them. */
  isFatal?: (error: AgonError) => boolean;
  onProgress?: (progress: Progress) => void;
  onError?: (error: AgonError, line: number) => void;
  signal?: AbortSignal;
}

/**
 * The one loop through which many items go: streaming in and out, at most `concurrency` at once, never more than a
 * few times that in memory. A bad line or a failed item is recorded and the rest goes on.
 */
export async function runItems<Item, Result>(options: RunItemsOptions<Item, Result>): Promise<Progress> {
  const { concurrency, order = 'input', done = new Set<string>(), isFatal = () => false } = options;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const meter = progressMeter();
  const running = new Set<Promise<void>>();
  let last: Promise<void> | undefined;
  meter.counts.total = options.total ?? null;
  let fatal: { error: unknown } | undefined;
  let lines = 0;

  for await (const entry of options.items) {
    if (signal.aborted) break;
    lines += 1;
    if (done.has(entry.key)) {
      meter.counts.skipped += 1;
      report();
      continue;
    }
    const task = work(entry, order === 'input' ? last : undefined);
    last = task;
    running.add(task);
    void task.finally(() => running.delete(task));
    while (meter.counts.running >= concurrency || running.size >= concurrency * 4) await Promise.race(running);
  }
  if (!signal.aborted) meter.counts.total = lines;
  await Promise.all(running);
  if (fatal) throw fatal.error;
  if (options.signal?.aborted) {
    throw new AgonError('cancelled', 'The run was stopped.', 'Run the same command again: it goes on where it stopped.', { cause: options.signal.reason });
  }
  report();
  return meter.report();

  /** Judges one entry and writes its record, after the one before it when order matters. Never rejects. */
  async function work(entry: ItemLine<Item>, before: Promise<void> | undefined): Promise<void> {
    try {
      const record = await judged(entry);
      await before;
      if (!record || fatal) return;
      await options.write(record);
      meter.finish(record.error ? 'failed' : 'judged');
      report();
    } catch (error) {
      fatal ??= { error };
      stop.abort(error);
    }
  }

  /** The record of an entry; none when the run was stopped meanwhile. */
  async function judged(entry: ItemLine<Item>): Promise<ResultRecord | null> {
    const place = { line: entry.line, key: entry.key };
    if ('error' in entry) return failed(place, entry.error);
    meter.counts.running += 1;
    report();
    try {
      return { ...place, result: await options.judge(entry.item, signal) };
    } catch (error) {
      if (signal.aborted) return null;
      if (!AgonError.is(error) || isFatal(error)) throw error;
      return failed(place, error);
    } finally {
      meter.counts.running -= 1;
    }
  }

  function failed(place: { line: number; key: string }, error: AgonError): ResultRecord {
    options.onError?.(error, place.line);
    return { ...place, error: { code: error.code, message: error.message, hint: error.hint } };
  }

  function report(): void {
    options.onProgress?.(meter.report());
  }
}
