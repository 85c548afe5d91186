import type { Grounding } from '../index.ts';

/**
 * Where a citation stands, for people: `report.pdf, page 3, row 2`, `figures.xlsx, sheet Income, C3`; of the only
 * document, without its name.
 */
export function whereOf({ document, block, boxes, cells }: Grounding, alone: boolean): string {
  // A block that goes on over the page is cited where the words stand.
  const page = boxes[0]?.page ?? block.page;
  const addresses = cells.flatMap(({ address }) => address ?? []);
  const rows = [...new Set(cells.map(({ row }) => row + 1))];
  const within = [
    block.sheet !== undefined && `sheet ${block.sheet}`,
    page !== undefined && `page ${page}`,
    addresses.length > 0 && (addresses.length > 2 ? `${addresses[0]} to ${addresses.at(-1)}` : addresses.join(' and ')),
    addresses.length === 0 &&
      rows.length > 0 &&
      (rows.length > 2 ? `rows ${rows[0]} to ${rows.at(-1)}` : `row ${rows.join(' and ')}`),
  ].filter((part) => part !== false);
  return [...(alone && within.length > 0 ? [] : [document.name]), ...within].join(', ');
}
