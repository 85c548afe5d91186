import type { ItemState, Ledger, RunItem } from '../../ledger/index.ts';

export interface PageOptions {
  order?: 'input' | 'as-done';
  states?: readonly ItemState[];
  /** Items in memory at a time. */
  limit?: number;
}

/** The items of a run, page by page, however many there are. */
export async function* pagesOfItems(
  ledger: Ledger,
  run: string,
  { order = 'input', states, limit = 500 }: PageOptions = {},
): AsyncGenerator<readonly RunItem[], void, void> {
  let after: RunItem | null = null;
  for (;;) {
    const page = await ledger.runs.listItems(run, { order, after, limit, ...(states ? { states } : {}) });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    after = page.at(-1)!;
  }
}
