import type { SystemSheet } from '../sheet.ts';
import type { Block, Cell } from './block.ts';
import { markNotes, markOf } from './blocks/marks.ts';

type Trained = Pick<SystemSheet, 'name' | 'kind' | 'trained'>;

/**
 * A job's own table with its figures marked as in every other table; what was trained on these very items is never
 * the best.
 */
export function markedBlock(block: Block, systems: readonly Trained[]): Block {
  if (!block.table || systems.every(({ trained }) => trained === null)) return block;
  const rows = block.table.rows.map((row) => {
    const { trained } = systemOf(row, systems);
    const mark = markOf({ trained });
    return mark === ''
      ? row
      : row.map((cell) =>
          cell.number && /\d/.test(cell.text)
            ? {
                ...cell,
                mark,
                ...(trained === 'these-items' && cell.emphasis !== 'breach' ? { emphasis: undefined } : {}),
              }
            : cell,
        );
  });
  return { ...block, table: { ...block.table, rows }, notes: [...(block.notes ?? []), ...markNotes(systems)] };
}

/** Whose figures a row holds: the system that it names, else the debate's. */
function systemOf(row: readonly Cell[], systems: readonly Trained[]): Pick<Trained, 'trained'> {
  const named = systems.find(({ name }) => row.some((cell) => cell.name && cell.text === name));
  return named ?? systems.find(({ kind }) => kind === 'debate') ?? { trained: null };
}
