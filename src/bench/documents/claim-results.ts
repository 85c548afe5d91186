import { z } from 'zod';
import { claimLabels } from '../../jobs/documents/index.ts';
import {
  debateSchema,
  openRecordFile,
  readResults,
  usageSchema,
  type RecordStore,
  type Results,
} from '../systems/results.ts';

const count = z.number().min(0);

const judgedClaimSchema = debateSchema.omit({ rule: true }).extend({
  /** The item's key in the data. */
  key: z.string(),
  label: z.enum(claimLabels),
  score: z.number().nullable(),
  rule: z.string(),
  /** The numbers of the parts it cites, where the document counts its parts; null where it does not. */
  cited: z.array(z.number()).nullable(),
  usage: usageSchema,
  /** What the opening alone would have concluded. */
  opening: z.enum(claimLabels).nullable().default(null),
  /** Null where somebody else took it, and does not say. */
  latencyMs: count.nullable(),
});
const recordSchema = z.object({ claims: z.array(judgedClaimSchema) });

/** What became of one claim, as it is kept. */
export type JudgedClaim = z.infer<typeof judgedClaimSchema>;

/** Judgements by the key of their document, those of earlier runs included. */
export type ClaimResults = Results<readonly JudgedClaim[]>;

/** Opens the results of a bench of documents in a file, to go on from what it holds; in memory without one. */
export async function openClaimResults(file?: string): Promise<ClaimResults> {
  return readClaimResults(file === undefined ? null : await openRecordFile(file));
}

export async function readClaimResults(keeper: RecordStore | null): Promise<ClaimResults> {
  return readResults(
    recordSchema.transform(({ claims }) => claims),
    keeper,
  );
}
