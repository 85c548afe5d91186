import { renderCsvRow, renderTextCell as text } from './csv-cells.ts';
import type { EndedItemOnRecord } from './export-results.ts';

const columns = [
  'line',
  'key',
  'label',
  'score',
  'escalate',
  'rule',
  'categories',
  'decided_by',
  'case',
  'error',
] as const;

export const csvHeading = `${columns.join(',')}\n`;

/** One row of verdicts. What an input says about itself is data to a spreadsheet, never a formula. */
export function renderResultCsv({ item, case: record }: EndedItemOnRecord): string {
  const { position, key, result, error } = item;
  const cells: Record<(typeof columns)[number], string> = {
    line: String(position),
    key: text(key),
    label: text(result?.label ?? ''),
    score: result === null || result.score === null ? '' : String(result.score),
    escalate: result === null ? '' : String(result.escalate),
    rule: text(record?.rule ?? ''),
    categories: text(record?.categories.join(' ') ?? ''),
    decided_by: result?.by ?? '',
    case: text(result?.case ?? ''),
    error: text(error === null ? '' : `${error.code}: ${error.message}`),
  };
  return renderCsvRow(columns.map((column) => cells[column]));
}
