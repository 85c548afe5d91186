/* What cases of one row each share, and what shows that nobody changed them. */

/** What cases of one configuration have in common: for each of its dictionaries, which grow, a row. */
export interface Setups {
  /** Made from the hash. */
  id: number;
  hash: string;
  job: string;
  configuration: string;
  settings: string;
  policy: string;
  /** What is packed in their rows is compressed against it. */
  dictionary: Uint8Array;
}

/** Rows that were written together, by their hashes, which stay when a row goes. */
export interface Batches {
  id: string;
  opened_at: string;
  size: number;
  /** The hash of the hashes. */
  root: string;
  hashes: Uint8Array;
}
