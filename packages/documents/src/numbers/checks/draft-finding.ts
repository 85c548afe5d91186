import type { NumberCheck, NumberFinding, NumberPlace } from '../finding.ts';
import { locateNumber, type Grid, type NumberCell } from '../tables/grid.ts';

/** A finding that has not got its id yet. */
export type Draft = Omit<NumberFinding, 'id'>;

export function draftFinding(
  check: NumberCheck,
  holds: boolean,
  statement: string,
  arithmetic: string,
  places: readonly NumberPlace[],
  gap: number,
): Draft {
  return { check, outcome: holds ? 'holds' : 'conflict', statement, arithmetic, places, gap: holds ? 0 : gap };
}

export function listPlaces(grid: Grid, ...cells: readonly (NumberCell | undefined)[]): NumberPlace[] {
  return cells.filter((cell) => cell !== undefined).map((cell) => locateNumber(grid, cell));
}

const formats = [0, 1, 2].map((maximumFractionDigits) => new Intl.NumberFormat('en-US', { maximumFractionDigits }));

/** A computed value as people read it: `1,234.5`, `15.3 %`. */
export function formatValue(value: number, percent = false): string {
  const scaled = percent ? value * 100 : value;
  const decimals = Math.abs(scaled) >= 1000 ? 0 : Math.abs(scaled) >= 100 ? 1 : 2;
  const text = formats[decimals]!.format(Math.abs(scaled));
  return `${scaled < 0 && text !== '0' ? '−' : ''}${text}${percent ? ' %' : ''}`;
}

const scales: readonly [number, string][] = [
  [1e9, ' billion'],
  [1e6, ' million'],
  [1e3, ' thousand'],
];

/** A computed amount in what the numbers that it comes from are counted in: `95 million`. */
export function formatAmount(value: number, { value: base, shown: said }: Pick<NumberCell, 'value' | 'shown'>): string {
  const scale = said === 0 ? 1 : Math.round(base / said);
  return `${formatValue(value / scale)}${scales.find(([size]) => size === scale)?.[1] ?? ''}`;
}

/** A number of a table as it stands there; a percentage whose sign is in its header carries it, too. */
export function formatFigure({ text, unit }: Pick<NumberCell, 'text' | 'unit'>): string {
  return unit === '%' && !/%|per ?cent|pct/i.test(text)
    ? `${text} %`
    : unit === 'pp' && !/[^\d\s.,()+−-]/.test(text)
      ? `${text} pp`
      : text;
}

/** Whether two numbers are one within what rounding leaves open; a hair more for what binary fractions lose. */
export function isWithin(left: number, right: number, tolerance: number): boolean {
  return Math.abs(left - right) <= tolerance + 1e-9 * Math.max(Math.abs(left), Math.abs(right), 1e-6);
}

/** How far (top / bottom) may be off when both are rounded. */
export function findQuotientTolerance(top: NumberCell, bottom: NumberCell): number {
  const ratio = Math.abs(top.value / bottom.value);
  return (
    (top.precision + ratio * bottom.precision) / Math.max(Math.abs(bottom.value) - bottom.precision, Number.EPSILON)
  );
}
