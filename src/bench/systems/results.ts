import { z } from 'zod';
import { behaviours, riskConcepts } from '../../jobs/evaluation/index.ts';
import { openResultFile, readResults as readResultRecords, type ResultRecord } from '../../runs/index.ts';

const count = z.number().min(0);
const share = z.number().min(0).max(1);
const distribution = z.object({ explicit: share, implicit: share, none: share });
const safetyLabel = z.enum(['safe', 'unsafe', 'undecided']);

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

const evaluationSchema = z.object({
  concept: z.enum(riskConcepts).nullable(),
  behaviour: z.enum(behaviours).nullable(),
  distribution: distribution.nullable(),
  /** The critic's last word on the risk concepts, which a reference is fitted on. */
  critic: distribution.nullable(),
});

const keptJudgementSchema = debateSchema.extend({
  label: safetyLabel,
  score: z.number().nullable(),
  probability: z.number().nullable(),
  opening: z.object({ label: safetyLabel, score: z.number().nullable() }).nullable().default(null),
  evaluation: evaluationSchema.optional(),
  usage: usageSchema,
  /** Null where somebody else took it, and does not say. */
  latencyMs: count.nullable(),
});

/** A judgement as it is kept: what the figures are made of. */
export type KeptJudgement = z.infer<typeof keptJudgementSchema>;
export type EvaluationDetails = z.infer<typeof evaluationSchema>;

/** Judgements by key, those of earlier runs included. */
export interface Results<Kept> {
  judged: ReadonlyMap<string, Kept>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}
export type BenchResults = Results<KeptJudgement>;

/** Where records of any kind are kept and found again. */
export interface RecordStore {
  records(): AsyncIterable<ResultRecord>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens the results of a bench in a file, to go on from what it holds; in memory without one. */
export async function openResults(file?: string): Promise<BenchResults> {
  return readResults(keptJudgementSchema, file === undefined ? null : await openRecordFile(file));
}

/** What a keeper holds, as far as it can be read; what cannot is judged again. */
export async function readResults<Kept>(schema: z.ZodType<Kept>, keeper: RecordStore | null): Promise<Results<Kept>> {
  const judged = new Map<string, Kept>();
  const take = ({ key, result }: ResultRecord) => {
    const read = schema.safeParse(result);
    if (read.success) judged.set(key, read.data);
  };
  if (keeper) for await (const record of keeper.records()) take(record);
  return {
    judged,
    write: async (record) => {
      await keeper?.write(record);
      take(record);
    },
    close: async () => keeper?.close(),
  };
}

export async function openRecordFile(file: string): Promise<RecordStore> {
  const out = await openResultFile(file);
  return {
    records: async function* () {
      if (out.done.size > 0) yield* readResultRecords(file);
    },
    write: (record) => out.write(record),
    close: () => out.close(),
  };
}

export { keptJudgementSchema };
