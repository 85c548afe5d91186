import type { BenchJob } from '../../result.ts';

/** One entry of a published file: a line of JSON, a row of a table, a member of a list. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * An item in our own words, as a line of our own JSONL has it: `id`, `label`, `category`, `raters`, `trivial`, and
 * `text`, `image`, `image_description` |
 * `prompt`, `response`, `messages`, `model`, `risk`, `behaviour` | `claim`, `doc`, `doc_text`, `evidence_ids`.
 */
export type ItemFields = Readonly<Record<string, unknown>>;

export interface RowContext {
  /** The file's name without its folder. */
  file: string;
  /** What stands behind the colon of `--format NAME:OPTION`; null when nothing does. */
  option: string | null;
}

/** How one published benchmark is laid out. */
export interface DataFormat {
  name: string;
  jobs: readonly BenchJob[];
  /** One line. */
  description: string;
  /** Where the file comes from. */
  source: string;
  /** How a row looks. */
  columns: string;
  /** Whether a row is one of these, by what it holds. */
  recognises(row: Row, file: string): boolean;
  /** The items of a row: most have one, some several, and none where there is nothing to judge. */
  read(row: Row, context: RowContext): readonly ItemFields[];
  /** The rows of a file that is one JSON object; null when it is not laid out so. */
  rows?(document: Row): readonly Row[] | null;
}
