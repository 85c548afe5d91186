import type { Session } from './session.ts';

const mostRows = 16;
/** Longer texts gain nothing from company, and memory grows with it. */
const mostTokens = 1024;
const step = 8;

/**
 * How far a text is padded. Softmax sums in another order when padding grows, and rounding to 8 bits makes a last digit
 * a visible difference: so the padding follows from the text alone, and only texts of one padded length share a batch.
 */
const paddedLength = (ids: readonly number[]) => Math.ceil(ids.length / step) * step;

/** What the model says about a window. The shares stand token by token, the marks at both ends included. */
export interface WindowReading {
  logits: Float32Array;
  embedding: Float32Array;
  shares: Float32Array;
}

/** What the model reads at once: its token ids, marks included. */
export interface TokenWindow {
  ids: readonly number[];
  /** Of an exchange: where the response begins. */
  responseFrom?: number;
}

interface Waiting<Window, Reading> {
  window: Window;
  ids: readonly number[];
  signal: AbortSignal;
  resolve(reading: Reading): void;
  reject(reason: unknown): void;
}

export type ReadWindow = (window: TokenWindow, signal: AbortSignal) => Promise<WindowReading>;

/** Batches of a guard. */
export function createBatches(session: Session, heads: number, lanes?: () => number): ReadWindow {
  return gatherBatches((windows, columns) => runWindows(session, windows, columns, heads), lanes);
}

/**
 * Gathers what is asked for in one turn of the event loop, or while the model is busy, into batches of one length.
 * `run` reads windows that are padded to so many columns, in their order; `lanes` batches are computed side by side.
 */
export function gatherBatches<Window extends { ids: readonly number[] }, Reading>(
  run: (windows: readonly Window[], columns: number) => Promise<Reading[]>,
  lanes = () => 1,
): (window: Window, signal: AbortSignal) => Promise<Reading> {
  let queue: Waiting<Window, Reading>[] = [];
  let inFlight = 0;
  let scheduled = false;

  const schedule = () => {
    // One batch is computed while the next lies ready.
    if (scheduled || inFlight >= 2 * lanes() || queue.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      queue = queue.filter(({ signal, reject }) => {
        if (signal.aborted) reject(signal.reason);
        return !signal.aborted;
      });
      const batch = takeBatch(queue);
      if (batch.length === 0) return;
      const taken = new Set(batch);
      queue = queue.filter((waiting) => !taken.has(waiting));
      inFlight += 1;
      void settleBatch(batch, run).finally(() => {
        inFlight -= 1;
        schedule();
      });
      schedule();
    });
  };

  return (window, signal) =>
    new Promise((resolve, reject) => {
      queue.push({ window, ids: window.ids, signal, resolve, reject });
      schedule();
    });
}

/** The one that waits longest, and those of its padded length. */
export function takeBatch<Item extends { ids: readonly number[] }>(queue: readonly Item[]): Item[] {
  const [first] = queue;
  if (!first) return [];
  const length = paddedLength(first.ids);
  const rows = Math.max(1, Math.min(mostRows, Math.floor(mostTokens / length)));
  return queue.filter(({ ids }) => paddedLength(ids) === length).slice(0, rows);
}

async function settleBatch<Window, Reading>(
  batch: readonly Waiting<Window, Reading>[],
  run: (windows: readonly Window[], columns: number) => Promise<Reading[]>,
): Promise<void> {
  try {
    const readings = await run(
      batch.map(({ window }) => window),
      paddedLength(batch[0]!.ids),
    );
    for (const [row, { resolve }] of batch.entries()) resolve(readings[row]!);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

async function runWindows(
  session: Session,
  windows: readonly TokenWindow[],
  columns: number,
  heads: number,
): Promise<WindowReading[]> {
  const rows = windows.length;
  const response = new BigInt64Array(rows * columns);
  for (const [row, { ids, responseFrom }] of windows.entries())
    if (responseFrom !== undefined) response.fill(1n, row * columns + responseFrom, row * columns + ids.length);
  const outputs = await session.run({ inputs: { ...layOutTokens(windows, columns), response_mask: response }, rows });
  const { logits, shares, embedding } = outputs as Record<'logits' | 'shares' | 'embedding', Float32Array>;
  const width = embedding.length / rows;
  return windows.map(({ ids }, row) => {
    const start = row * columns * heads;
    // Copies: a view would keep the whole batch in memory.
    return {
      logits: logits.slice(row * heads, (row + 1) * heads),
      embedding: embedding.slice(row * width, (row + 1) * width),
      shares: shares.slice(start, start + ids.length * heads),
    };
  });
}

/** Token ids row after row, padded, with the mask that says which are. */
export function layOutTokens(
  windows: readonly { ids: readonly number[] }[],
  columns: number,
): Record<'input_ids' | 'attention_mask', BigInt64Array<ArrayBuffer>> {
  const ids = new BigInt64Array(windows.length * columns);
  const mask = new BigInt64Array(windows.length * columns);
  for (const [row, window] of windows.entries()) {
    const start = row * columns;
    for (const [column, id] of window.ids.entries()) ids[start + column] = BigInt(id);
    mask.fill(1n, start, start + window.ids.length);
  }
  return { input_ids: ids, attention_mask: mask };
}
