import type { FindingEdit } from '@agonhq/engine/debate';

export type { FindingEdit } from '@agonhq/engine/debate';

/** An edit as the ledger keeps it, or as it comes over HTTP. */
export type GivenEdit = Omit<FindingEdit, 'at' | 'case'> & { at: Date | string };

/** Which findings are shown, and in which order; all of them, the worst first, by default. */
export interface Arrangement {
  /** A column, `-` before it for the other way round. */
  sort?: string | undefined;
  /** A kind of finding. */
  show?: string | undefined;
  /** Words that they have, all of them. */
  search?: string | undefined;
}
