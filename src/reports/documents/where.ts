import type { Ground } from './grounding.ts';

/** Where a citation stands, for people: `report.pdf, page 3, row 2`, `figures.xlsx, sheet Income, C3`. */
export function whereOf({ document, block, cells }: Ground): string {
  const addresses = cells.flatMap(({ address }) => address ?? []);
  const rows = [...new Set(cells.map(({ row }) => row + 1))];
  return [
    document.name,
    block.sheet !== undefined && `sheet ${block.sheet}`,
    block.page !== undefined && `page ${block.page}`,
    addresses.length > 0 && (addresses.length > 2 ? `${addresses[0]} to ${addresses.at(-1)}` : addresses.join(' and ')),
    addresses.length === 0 && rows.length > 0 && (rows.length > 2 ? `rows ${rows[0]} to ${rows.at(-1)}` : `row ${rows.join(' and ')}`),
  ].filter((part) => part !== false).join(', ');
}
