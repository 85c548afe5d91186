import type { Provenance } from '@agonhq/engine/debate';

/* What a bundle says beside the answer and the answer says too: made from it, and checked against it. */

/** The precedents that were shown: of an answer, or of each of its claims. */
export function extractPrecedents(answer: unknown): unknown[] {
  const { precedents = [], claims = [] } = answer as { precedents?: unknown[]; claims?: { precedents?: unknown[] }[] };
  return [...precedents, ...claims.flatMap((claim) => claim.precedents ?? [])];
}

/** Who sat where, and which files of a model they were. */
export function extractModels({ agon, protocol, prompts, models, digests }: Provenance): object {
  return { agon, protocol, prompts, models, ...(digests ? { digests } : {}) };
}

/** Where a file lies in a bundle, by its `sha256:…`. */
export function nameFile(hash: string): string {
  return `subject/files/${hash.slice('sha256:'.length)}`;
}
