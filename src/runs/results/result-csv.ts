import type { EndedItemOnRecord } from './export-results.ts';

const columns = ['line', 'key', 'label', 'score', 'escalate', 'rule', 'categories', 'decided_by', 'case', 'error'] as const;

export const csvHeading = `${columns.join(',')}\n`;

/** One row of verdicts. What an input says about itself is data to a spreadsheet, never a formula. */
export function csvLine({ item, case: record }: EndedItemOnRecord): string {
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
  return `${columns.map((column) => quoted(cells[column])).join(',')}\n`;
}

/** A cell that a spreadsheet would compute is led by an apostrophe, which makes it text there. */
function text(value: string): string {
  return /^[\s\u0000-\u001f]*[=+\-@|%＝＋－＠]/.test(value) ? `'${value}` : value;
}

function quoted(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
