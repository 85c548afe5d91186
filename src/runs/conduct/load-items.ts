import { setTimeout as pause } from 'node:timers/promises';
import { AgonError } from '../../errors.ts';
import type { Ledger, NewRunItem } from '../../ledger/index.ts';
import { batchesOf } from '../input/batches.ts';

const batch = 500;
/** Whoever writes to standard input now and then is judged now and then. */
const withinMs = 200;

export interface LoadOptions {
  signal: AbortSignal;
  /** Half of the time is left to others: items are judged by the same thread. */
  gently?: boolean;
  /**
   * How many items were read so far, how many of them have the content of another, and what new ones cannot be judged
   * for.
   */
  onRead?: (read: { items: number; same: number; broken: readonly string[] }) => void;
}

/**
 * Reads a run's input into the ledger, from its beginning: what is there already stays. Resolves when all of it is
 * there, or when it was aborted.
 */
export async function loadItems(
  ledger: Ledger,
  run: string,
  items: AsyncIterable<NewRunItem>,
  { signal, gently = false, onRead }: LoadOptions,
): Promise<void> {
  let read = 0;
  let same = 0;
  for await (const waiting of batchesOf(items, { size: batch, withinMs, signal })) {
    const began = performance.now();
    const report = await ledger.runs.putItems(run, waiting);
    if (report.changed.length > 0) throw changed(report.changed);
    read += waiting.length;
    same += report.same;
    const broken = report.inserted === 0 ? [] : waiting.flatMap(({ error }) => (error ? [error.code] : []));
    onRead?.({ items: read, same, broken });
    if (gently) await pause(performance.now() - began, undefined, { signal }).catch(() => undefined);
  }
  if (!signal.aborted) await ledger.runs.markLoaded(run, read);
}

function changed([first]: readonly number[]): AgonError {
  return new AgonError(
    'changed-input',
    `The input is not the one that the run began with: line ${first} holds something else.`,
    'Restore the file, or start a new run.',
  );
}
