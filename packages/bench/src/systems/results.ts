import { z } from 'zod';
import { openResultFile, readResults as readResultFile, type ResultRecord } from '@agonhq/core/runs';
import { gatherWrites, type Ledger } from '@agonhq/ledger';

/** As many judgements share a transaction at most. */
const keptAtOnce = 100;

interface LedgerResults {
  /** What is kept, by key, as it was written: whoever reads it checks it. */
  seen: ReadonlyMap<string, unknown>;
  /** Answers when the judgement is on disk. An error is not kept: its item is tried again. */
  write(record: ResultRecord): Promise<void>;
  /** Answers when nothing is on its way any more. Whoever wrote what could not be kept has been told. */
  close(): Promise<void>;
}

/**
 * Opens the judgements of a bench, to go on from those that are kept. What is written while a batch is on its way makes
 * the next one: nobody waits for others to come, and many who come at once share a transaction. After a batch that
 * could not be kept, nothing more is.
 */
export async function openLedgerResults(ledger: Pick<Ledger, 'benches'>, bench: string): Promise<LedgerResults> {
  const seen = new Map<string, unknown>();
  for await (const { key, result } of ledger.benches.readJudgements(bench)) seen.set(key, result);
  let last: Promise<void> = Promise.resolve();
  let closed = false;
  let failure: { error: unknown } | null = null;

  const keep = gatherWrites(
    async (records: readonly ResultRecord[]): Promise<void[]> => {
      if (failure) throw failure.error;
      try {
        await ledger.benches.keepJudgements(
          bench,
          records.map(({ key, result }) => ({ key, result })),
        );
      } catch (error) {
        failure = { error };
        throw error;
      }
      for (const { key, result } of records) if (!seen.has(key)) seen.set(key, result);
      return records.map(() => undefined);
    },
    { atMost: keptAtOnce },
  );

  return {
    seen,
    async write(record) {
      if (failure) throw failure.error;
      if (closed) throw new Error('The results are closed.');
      if (record.result === undefined) return;
      await (last = keep(record));
    },
    async close() {
      closed = true;
      await last.catch(() => undefined);
    },
  };
}

const count = z.number().min(0);

export const usageSchema = z.object({
  calls: count,
  inputTokens: count,
  outputTokens: count,
  cachedTokens: count,
  costUsd: count.nullable(),
});

/**
 * What the drill-down of a report needs of a debate; of a kept judgement that has none of it, there is nothing to
 * show.
 */
export const debateSchema = z.object({
  byModel: z.record(z.string(), usageSchema).default({}),
  rule: z.string().nullable().default(null),
  turns: z
    .array(
      z.object({
        key: z.string(),
        seat: z.string(),
        round: z.number().nullable(),
        statement: z.string(),
        score: z.number().nullable(),
        label: z.string().nullable(),
        quotes: z.array(z.object({ text: z.string(), verified: z.boolean() })).readonly(),
        fallback: z.string().nullable(),
      }),
    )
    .default([]),
});

/** A judgement as it is kept: what the figures of every job are made of. */
export const keptJudgementSchema = debateSchema.extend({
  label: z.string(),
  score: z.number().nullable(),
  probability: z.number().nullable(),
  opening: z.object({ label: z.string(), score: z.number().nullable() }).nullable().default(null),
  usage: usageSchema,
  /** Null where somebody else took it, and does not say. */
  latencyMs: count.nullable(),
});

export type KeptJudgement = z.infer<typeof keptJudgementSchema>;

/** What every job keeps of a judgement. */
export type KeptAnswer = Pick<KeptJudgement, 'label' | 'usage' | 'byModel' | 'latencyMs' | 'rule' | 'turns'>;

/** Judgements by key, those of earlier runs included. */
export interface Results<Kept> {
  judged: ReadonlyMap<string, Kept>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/** Where judgements of any kind are kept and found again. */
export interface RecordStore {
  records(): AsyncIterable<ResultRecord>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/** What a store holds, as far as it can be read; what cannot is judged again. */
export async function readJudgedResults<Kept>(
  schema: z.ZodType<Kept>,
  store: RecordStore | null,
): Promise<Results<Kept>> {
  const judged = new Map<string, Kept>();
  const take = ({ key, result }: ResultRecord) => {
    const read = schema.safeParse(result);
    if (read.success) judged.set(key, read.data);
  };
  if (store) for await (const record of store.records()) take(record);
  return {
    judged,
    write: async (record) => {
      await store?.write(record);
      take(record);
    },
    close: async () => store?.close(),
  };
}

export async function openRecordFile(file: string): Promise<RecordStore> {
  const out = await openResultFile(file);
  return {
    records: async function* () {
      if (out.done.size > 0) yield* readResultFile(file);
    },
    write: (record) => out.write(record),
    close: () => out.close(),
  };
}
