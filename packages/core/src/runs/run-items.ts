import { AgonError } from '@agonhq/engine/agon-error';
import { untilAborted } from '../async-items.ts';
import type { ItemLine } from '@agonhq/engine/items';
import type { ResultRecord } from './results/result-file.ts';

/** Where a run stands. */
export interface Progress {
  judged: number;
  failed: number;
  /** Already done by an earlier run. */
  skipped: number;
  /** Items in all, once known. */
  total: number | null;
  running: number;
  /** Items a second over the last half minute. */
  rate: number;
  /** Seconds left, once the total is known. */
  etaSeconds: number | null;
}

const windowMs = 30_000;

/** Counts what a run does and tells how fast. */
export function createProgressMeter(now: () => number = () => performance.now()) {
  const started = now();
  const finishes: number[] = [];
  const counts = { judged: 0, failed: 0, skipped: 0, running: 0, total: null as number | null };
  return {
    counts,
    finish(outcome: 'judged' | 'failed') {
      counts[outcome] += 1;
      finishes.push(now());
    },
    report(): Progress {
      const from = Math.max(started, now() - windowMs);
      while (finishes.length > 0 && finishes[0]! < from) finishes.shift();
      const seconds = (now() - from) / 1000;
      const rate = seconds > 0 ? finishes.length / seconds : 0;
      const left = counts.total === null ? null : counts.total - counts.judged - counts.failed - counts.skipped;
      return { ...counts, rate, etaSeconds: left === null || rate === 0 ? null : left / rate };
    },
  };
}

export interface RunItemsOptions<Item, Result> {
  items: AsyncIterable<ItemLine<Item>>;
  judge: (item: Item, signal: AbortSignal) => Promise<Result>;
  /** Called for one record at a time. */
  write: (record: ResultRecord) => Promise<void>;
  /** How many items are judged at once. */
  concurrency: number;
  /** How many more may wait to be written; by default three times as many. */
  unwritten?: number;
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
 * The one loop through which many items go: streaming in and out, at most `concurrency` at once, and in memory no more
 * than may wait to be written besides. A bad line or a failed item is recorded and the rest goes on. When the run is
 * stopped, what was judged is written and what was not leaves no trace.
 */
export async function runItems<Item, Result>(options: RunItemsOptions<Item, Result>): Promise<Progress> {
  const {
    concurrency,
    unwritten = 3 * concurrency,
    order = 'input',
    done = new Set<string>(),
    isFatal = () => false,
  } = options;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const meter = createProgressMeter();
  const pending = new Set<Promise<void>>();
  let change = Promise.withResolvers<void>();
  let last: Promise<void> | undefined;
  let writing = Promise.resolve();
  let writeFailed = false;
  let fatal: { error: unknown } | undefined;
  let lines = 0;
  meter.counts.total = options.total ?? null;

  try {
    for await (const entry of untilAborted(options.items, signal)) {
      lines += 1;
      if (done.has(entry.key)) {
        meter.counts.skipped += 1;
        report();
        continue;
      }
      const task = work(entry, last);
      pending.add(task);
      last = order === 'input' ? task : undefined;
      void task.then(() => {
        pending.delete(task);
        changed();
      });
      while (meter.counts.running >= concurrency || pending.size >= concurrency + unwritten) await change.promise;
    }
    if (!signal.aborted) meter.counts.total = lines;
  } catch (error) {
    fatal ??= { error }; // The input broke off; what was read is judged all the same.
  }
  await Promise.all(pending);
  if (fatal) throw fatal.error;
  if (options.signal?.aborted) {
    throw new AgonError(
      'cancelled',
      'The run was stopped.',
      'Run it again; what has a result need not be judged anew.',
      { cause: options.signal.reason },
    );
  }
  report();
  return meter.report();

  /** Judges one entry and writes its record, after the one before it when order matters. Never rejects. */
  async function work(entry: ItemLine<Item>, before: Promise<void> | undefined): Promise<void> {
    try {
      const record = await judged(entry);
      await before;
      if (record) await write(record);
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
      const known = AgonError.is(error) ? error : describeUnforeseen(error);
      if (isFatal(known)) throw error;
      return failed(place, known);
    } finally {
      meter.counts.running -= 1;
      changed();
    }
  }

  function failed(place: { line: number; key: string }, error: AgonError): ResultRecord {
    options.onError?.(error, place.line);
    return { ...place, error: { code: error.code, message: error.message, hint: error.hint } };
  }

  async function write(record: ResultRecord): Promise<void> {
    const written = writing.then(async () => {
      if (writeFailed) return;
      await options.write(record).catch((error: unknown) => {
        writeFailed = true;
        throw error;
      });
      meter.finish(record.error ? 'failed' : 'judged');
      report();
    });
    writing = written.catch(() => {}); // The one who awaits `written` hears of it.
    await written;
  }

  function changed(): void {
    change.resolve();
    change = Promise.withResolvers();
  }

  function report(): void {
    options.onProgress?.(meter.report());
  }
}

export function describeUnforeseen(error: unknown): AgonError {
  const message = error instanceof Error ? error.message : String(error);
  return new AgonError('internal', `Something unforeseen went wrong: ${message}`, 'Please report it.', {
    cause: error,
  });
}
