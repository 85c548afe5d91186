import type { Session } from './session.ts';

const mostRows = 16;
/** Longer texts gain nothing from company, and memory grows with it. */
const mostTokens = 1024;
/** One batch is computed while the next lies ready. */
const mostInFlight = 2;
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

interface Waiting extends TokenWindow {
  signal: AbortSignal;
  resolve(reading: WindowReading): void;
  reject(reason: unknown): void;
}

export type ReadWindow = (window: TokenWindow, signal: AbortSignal) => Promise<WindowReading>;

/** Gathers what is asked for in one turn of the event loop, or while the model is busy, into batches of one length. */
export function createBatches(session: Session, heads: number): ReadWindow {
  let queue: Waiting[] = [];
  let inFlight = 0;
  let scheduled = false;

  const schedule = () => {
    if (scheduled || inFlight >= mostInFlight || queue.length === 0) return;
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
      void runBatch(session, batch, heads).finally(() => {
        inFlight -= 1;
        schedule();
      });
      schedule();
    });
  };

  return (window, signal) =>
    new Promise((resolve, reject) => {
      queue.push({ ...window, signal, resolve, reject });
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

async function runBatch(session: Session, batch: readonly Waiting[], heads: number): Promise<void> {
  const rows = batch.length;
  const columns = paddedLength(batch[0]!.ids);
  const ids = new BigInt64Array(rows * columns);
  const mask = new BigInt64Array(rows * columns);
  const response = new BigInt64Array(rows * columns);
  for (const [row, waiting] of batch.entries()) {
    const start = row * columns;
    for (const [column, id] of waiting.ids.entries()) ids[start + column] = BigInt(id);
    mask.fill(1n, start, start + waiting.ids.length);
    if (waiting.responseFrom !== undefined) response.fill(1n, start + waiting.responseFrom, start + waiting.ids.length);
  }
  try {
    const outputs = await session.run({
      inputs: { input_ids: ids, attention_mask: mask, response_mask: response },
      rows,
    });
    const { logits, shares, embedding } = outputs as Record<'logits' | 'shares' | 'embedding', Float32Array>;
    const width = embedding.length / rows;
    for (const [row, waiting] of batch.entries()) {
      const start = row * columns * heads;
      // Copies: a view would keep the whole batch in memory.
      waiting.resolve({
        logits: logits.slice(row * heads, (row + 1) * heads),
        embedding: embedding.slice(row * width, (row + 1) * width),
        shares: shares.slice(start, start + waiting.ids.length * heads),
      });
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
