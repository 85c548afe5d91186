import { sha256 } from '@agonhq/engine/hash';

/** Something that happened to a case. */
export interface BundledRecord {
  /** When, as ISO 8601. */
  at: string;
  kind: string;
  [member: string]: unknown;
}

/** The same with the hash of the line before it; null at the beginning. */
export type ChainedRecord = BundledRecord & { previous: string | null };

/** Records in the order of time, each with the hash of the line before it. */
export function chainRecords(records: readonly BundledRecord[]): ChainedRecord[] {
  const chain: ChainedRecord[] = [];
  for (const record of records.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)))
    chain.push({ ...record, previous: hashLine(chain.at(-1)) });
  return chain;
}

/** Which line does not follow from the one before it; -1 where all do. */
export function findBrokenLink(chain: readonly { previous: string | null }[]): number {
  return chain.findIndex(({ previous }, index) => previous !== hashLine(chain[index - 1]));
}

function hashLine(record: object | undefined): string | null {
  return record === undefined ? null : sha256(JSON.stringify(record));
}
