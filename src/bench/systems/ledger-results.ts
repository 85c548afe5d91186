import type { Ledger } from '../../ledger/index.ts';
import type { ResultRecord } from '../../runs/index.ts';

/** As many judgements share a transaction at most. */
const keptAtOnce = 100;

/** The judgements of a bench in the ledger. */
export interface LedgerResults {
  /** What is kept, by key, as it was written: whoever reads it checks it. */
  seen: ReadonlyMap<string, unknown>;
  /** Answers when the judgement is on disk. An error is not kept: its item is tried again. */
  write(record: ResultRecord): Promise<void>;
  /** Answers when nothing is on its way any more. Whoever wrote what could not be kept has been told. */
  close(): Promise<void>;
}

interface Waiting {
  key: string;
  result: unknown;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Opens the judgements of a bench, to go on from those that are kept. What is written while a batch is on its way makes
 * the next one: nobody waits for others to come, and many who come at once share a transaction. After a batch that
 * could not be kept, nothing more is.
 */
export async function openLedgerResults(ledger: Pick<Ledger, 'benches'>, bench: string): Promise<LedgerResults> {
  const seen = new Map<string, unknown>();
  for await (const { key, result } of ledger.benches.readJudgements(bench)) seen.set(key, result);
  let waiting: Waiting[] = [];
  let running: Promise<void> | null = null;
  let closed = false;
  let failure: { error: unknown } | null = null;

  async function keepAll(): Promise<void> {
    // Who writes in the same breath comes along.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, keptAtOnce);
      waiting = waiting.slice(keptAtOnce);
      try {
        await ledger.benches.keepJudgements(
          bench,
          batch.map(({ key, result }) => ({ key, result })),
        );
      } catch (error) {
        failure = { error };
        const concerned = [...batch, ...waiting];
        waiting = [];
        for (const { reject } of concerned) reject(error);
        break;
      }
      for (const { key, result, resolve } of batch) {
        if (!seen.has(key)) seen.set(key, result);
        resolve();
      }
    }
    running = null;
  }

  return {
    seen,
    async write({ key, result }) {
      if (failure) throw failure.error;
      if (closed) throw new Error('The results are closed.');
      if (result === undefined) return;
      await new Promise<void>((resolve, reject) => {
        waiting.push({ key, result, resolve, reject });
        running ??= keepAll();
      });
    },
    async close() {
      closed = true;
      await running;
    },
  };
}
