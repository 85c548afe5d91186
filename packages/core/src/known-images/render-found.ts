import type { FoundImage } from '@agonhq/ledger';
import { renderCsvRow, renderTextCell } from '@agonhq/engine/text';

const columns = [
  'id',
  'foundAt',
  'list',
  'label',
  'source',
  'entry',
  'pdq',
  'distance',
  'mirrored',
  'case',
  'item',
  'run',
  'image',
  'file',
  'state',
  'note',
  'settledBy',
  'settledAt',
] as const;

/** The restricted queue as a report for those whom it concerns: never with an image. */
export function renderFoundImages(found: readonly FoundImage[], format: 'json' | 'csv', now = new Date()): string {
  if (format === 'json')
    return `${JSON.stringify({ version: 1, kind: 'known-images', madeAt: now.toISOString(), rows: found }, null, 2)}\n`;
  const rows = found.map((row) => {
    const { hash: entry, label, source } = row.entry;
    const cells: Record<(typeof columns)[number], Cell> = { ...row, entry, label, source };
    return columns.map((name) => toCell(cells[name]));
  });
  return [columns.map((name) => name), ...rows].map(renderCsvRow).join('');
}

type Cell = string | number | boolean | Date | null | undefined;

function toCell(value: Cell): string {
  if (value instanceof Date) return value.toISOString();
  return value === null || value === undefined ? '' : renderTextCell(String(value));
}
