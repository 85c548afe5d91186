import type { AgonError } from '../../errors.ts';

/** One item of an input as it stands there: its place, what is written there, and its value or why it has none. */
export type InputValue = {
  /** The line on which it begins; in a document that has none, its number. */
  line: number;
  /** What a broken item is known by. */
  written: unknown;
} & ({ value: unknown } | { error: AgonError });
