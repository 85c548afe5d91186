import type { Usage } from '../../debate/index.ts';
import type { ItemResult, TakenItem } from '../../ledger/index.ts';

/** Who judges the items of one run. */
export interface RunJudge {
  /** Hash of models, prompts, policy, precedents and plan, as the answers carry it. */
  configuration: string;
  /**
   * Judges one item; its case is on record when this resolves. An AgonError says that there is no verdict:
   * `cancelled` after an abort, a mistake of the user's (`isMistake`) for which the run must end, or what is wrong
   * with this item.
   */
  judge(item: TakenItem, signal: AbortSignal): Promise<ItemResult>;
  /** What this process has spent so far. */
  spent(): Usage;
  close(): Promise<void>;
}
