import type { QueueRow } from '../../api/types.ts';

/** The most urgent case that nobody else looks at, and that was not passed by before. */
export function findNextCase(
  rows: readonly Pick<QueueRow, 'id' | 'heldBy'>[],
  passed: ReadonlySet<string>,
): string | null {
  return rows.find(({ id, heldBy }) => heldBy === null && !passed.has(id))?.id ?? null;
}
