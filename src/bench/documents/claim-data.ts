import { readDataset, type DataOptions, type LabelledData } from '../datasets/read-dataset.ts';
import type { ClaimNaming, LabelledClaim } from './labelled-claim.ts';

export interface ClaimDataOptions extends DataOptions, ClaimNaming {}

/** A benchmark of documents, with the folder its documents lie in. */
export type ClaimData = LabelledData<LabelledClaim> & { root: string };

/** Opens a benchmark of documents. */
export async function readClaimData(file: string, options: ClaimDataOptions): Promise<ClaimData> {
  return readDataset(file, { job: 'documents', ...options });
}
