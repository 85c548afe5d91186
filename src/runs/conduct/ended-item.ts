import type { ItemError, ItemResult, TakenItem } from '../../ledger/index.ts';

/** An item with what came of it. */
export interface EndedItem {
  item: TakenItem;
  outcome: { result: ItemResult } | { error: ItemError };
}
