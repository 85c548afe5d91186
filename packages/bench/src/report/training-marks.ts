import type { SystemResult } from '../result.ts';
import type { BenchBlock, BlockCell } from './block.ts';

const marks = { 'in-domain': '†', 'these-items': '‡' } as const;

/** What marks a figure of a system that had seen such data before. */
export function trainingMark({ trained }: Pick<SystemResult, 'trained'>): string {
  return trained === null ? '' : marks[trained];
}

/** What the marks mean, as far as they occur. */
export function trainingNotes(systems: readonly Pick<SystemResult, 'trained'>[]): string[] {
  const seen = new Set(systems.map(({ trained }) => trained));
  return [
    ...(seen.has('in-domain')
      ? ['† trained in-domain: a model of this system was trained on other items of the same data.']
      : []),
    ...(seen.has('these-items')
      ? ['‡ trained on these very items: no measure of how it does on new ones, so never marked as the best.']
      : []),
  ];
}

type Trained = Pick<SystemResult, 'name' | 'kind' | 'trained'>;

/**
 * A job's own table with its figures marked as in every other table; what was trained on these very items is never
 * the best.
 */
export function markTraining(block: BenchBlock, systems: readonly Trained[]): BenchBlock {
  if (!block.table || systems.every(({ trained }) => trained === null)) return block;
  const rows = block.table.rows.map((row) => {
    const { trained } = systemOf(row, systems);
    const mark = trainingMark({ trained });
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
  return { ...block, table: { ...block.table, rows }, notes: [...(block.notes ?? []), ...trainingNotes(systems)] };
}

/** Whose figures a row holds: the system that it names, else the debate's. */
function systemOf(row: readonly BlockCell[], systems: readonly Trained[]): Pick<Trained, 'trained'> {
  const named = systems.find(({ name }) => row.some((cell) => cell.name && cell.text === name));
  return named ?? systems.find(({ kind }) => kind === 'debate') ?? { trained: null };
}
