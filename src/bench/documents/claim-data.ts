import path from 'node:path';
import { readLabelledData, type LabelledData } from '../datasets/data-file.ts';
import { readLabelledClaim, type ClaimNaming, type LabelledClaim } from './labelled-claim.ts';

export interface ClaimDataOptions extends ClaimNaming {
  /** What paths of documents are relative to; by default the file's folder. */
  root?: string;
  limit?: number;
}

/** A benchmark of documents, with the folder its documents lie in. */
export type ClaimData = LabelledData<LabelledClaim> & { root: string };

/** Opens a benchmark of documents. */
export async function readClaimData(file: string, { root, limit, ...naming }: ClaimDataOptions): Promise<ClaimData> {
  const example = '{"id":"1","claim":"…","label":"entailed","doc":"report.pdf"}';
  const data = await readLabelledData(file, { limit, read: (value) => readLabelledClaim(value, naming), example });
  return { ...data, root: root ?? path.dirname(file) };
}
