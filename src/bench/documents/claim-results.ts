import { z } from 'zod';
import { claimLabels } from '../../documents/index.ts';
import { openResultFile, resultsIn, type ResultRecord } from '../../runs/index.ts';

const count = z.number().min(0);

const judgedClaimSchema = z.object({
  /** The item's key in the data. */
  key: z.string(),
  label: z.enum(claimLabels),
  score: z.number().nullable(),
  rule: z.string(),
  /** The numbers of the parts it cites, where the document counts its parts; null where it does not. */
  cited: z.array(z.number()).nullable(),
  usage: z.object({ calls: count, inputTokens: count, outputTokens: count, cachedTokens: count, costUsd: count.nullable() }),
  latencyMs: count,
});
const recordSchema = z.object({ claims: z.array(judgedClaimSchema) });

/** What became of one claim, as it is kept. */
export type JudgedClaim = z.infer<typeof judgedClaimSchema>;

/** Judgements by the key of their document, those of earlier runs included. */
export interface ClaimResults {
  judged: ReadonlyMap<string, readonly JudgedClaim[]>;
  write(record: ResultRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens the results of a bench of documents in a file, to go on from what it holds; in memory without one. */
export async function openClaimResults(file?: string): Promise<ClaimResults> {
  const out = file === undefined ? null : await openResultFile(file);
  const judged = new Map<string, readonly JudgedClaim[]>();
  const keep = ({ key, result }: ResultRecord) => {
    const read = recordSchema.safeParse(result);
    if (read.success) judged.set(key, read.data.claims);
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
