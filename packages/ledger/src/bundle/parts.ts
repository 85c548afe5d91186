import type { Provenance } from '@agonhq/engine/debate';
import { encodeText } from '@agonhq/engine/container';

/** A file of a bundle before it is written: bytes as they are, a JSON value, or a value for each line. */
export type BundlePart = { name: string } & ({ bytes: Uint8Array } | { json: unknown } | { lines: readonly unknown[] });

/** An answer stands as it is on record, to the byte; other JSON is laid out for readers. */
const asOnRecord = 'answer.json';

/** A part as it stands in the container. */
export function writePart(part: BundlePart): Uint8Array {
  if ('bytes' in part) return part.bytes;
  if ('lines' in part) return encodeText(part.lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return encodeText(part.name === asOnRecord ? JSON.stringify(part.json) : `${JSON.stringify(part.json, null, 2)}\n`);
}

/** The same the other way around; throws for what cannot be read. */
export function readPart(name: string, bytes: Uint8Array): BundlePart {
  if (!name.endsWith('.json') && !name.endsWith('.jsonl')) return { name, bytes };
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (name.endsWith('.json')) return { name, json: JSON.parse(text) };
  const lines = text.split('\n').filter((line) => line !== '');
  return { name, lines: lines.map((line): unknown => JSON.parse(line)) };
}

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
