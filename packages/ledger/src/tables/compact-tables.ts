/* What cases of one row each share, and what shows that nobody changed them. */

/** What cases of one configuration have in common. */
export interface Setups {
  /** Made from the hash. */
  id: number;
  hash: string;
  job: string;
  configuration: string;
  settings: string;
  policy: string;
}

/** Answers but for what each has of its own. */
export interface Templates {
  id: number;
  hash: string;
  rule: string;
  body: string;
}

/** What was judged in cases of one row each: of a day each text once, for as long as a case refers to it. */
export interface Texts {
  hash: Uint8Array;
  /** Of the cases: 20261118. */
  day: number;
  /** The first cases that refer to it, by id. */
  cases: string;
  /** JSON, compressed where that is shorter. */
  data: Uint8Array;
}

/** The cases that refer to a text that many refer to, beyond the first. */
export interface TextCases {
  day: number;
  /** As the listing refers to the text. */
  hash: Uint8Array;
  id: string;
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
