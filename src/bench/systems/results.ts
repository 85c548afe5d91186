import { z } from 'zod';
import { behaviours, riskConcepts } from '../../evaluation/index.ts';
import { openResultFile, resultsIn, type ResultRecord } from '../../runs/index.ts';

const count = z.number().min(0);
const share = z.number().min(0).max(1);
const distribution = z.object({ explicit: share, implicit: share, none: share });

const evaluationSchema = z.object({
  concept: z.enum(riskConcepts).nullable(),
  behaviour: z.enum(behaviours).nullable(),
  distribution: distribution.nullable(),
  /** The critic's last word on the risk concepts, which a reference is fitted on. */
  critic: distribution.nullable(),
});

const judgedSchema = z.object({
  label: z.enum(['safe', 'unsafe', 'undecided']),
  score: z.number().nullable(),
  probability: z.number().nullable(),
  evaluation: evaluationSchema.optional(),
  usage: z.object({ calls: count, inputTokens: count, outputTokens: count, cachedTokens: count, costUsd: count.nullable() }),
  latencyMs: count,
});

/** A judgement as it is kept: what the figures are made of. */
export type Judged = z.infer<typeof judgedSchema>;
export type EvaluationDetails = z.infer<typeof evaluationSchema>;

/** Judgements by key, those of earlier runs included. */
export interface BenchResults {
  judged: ReadonlyMap<string, Judged>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens the results of a bench in a file, to go on from what it holds; in memory without one. */
export async function openResults(file?: string): Promise<BenchResults> {
  const out = file === undefined ? null : await openResultFile(file);
  const judged = new Map<string, Judged>();
  const keep = ({ key, result }: ResultRecord) => {
    const read = judgedSchema.safeParse(result);
    if (read.success) judged.set(key, read.data);
  };
  if (out && out.done.size > 0) for await (const record of resultsIn(file!)) keep(record);
  return {
    judged,
    write: async (record) => {
      await out?.write(record);
      keep(record);
    },
    close: async () => out?.close(),
  };
}
