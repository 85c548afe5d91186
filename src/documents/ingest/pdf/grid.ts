import { boundsOf, isNumber, type LaidCell, type LaidTable } from './cells.ts';
import { bottom, right, union, type Area } from './geometry.ts';
import { ruledAt, type Rule } from './graphics.ts';
import { linesOf, segmentsOf } from './lines.ts';
import type { Run } from './runs.ts';

const reach = 3;

/** Tables that drawn lines divide into cells, and the runs that stand in them. */
export function ruledTables(runs: readonly Run[], rules: readonly Rule[]): { tables: LaidTable[]; rest: Run[] } {
  const tables: LaidTable[] = [];
  let rest = [...runs];
  for (const group of touching(rules)) {
    const table = gridOf(group, rest);
    if (!table) continue;
    tables.push(table.table);
    rest = rest.filter((run) => !table.used.has(run));
  }
  return { tables, rest };
}

function gridOf(rules: readonly Rule[], runs: readonly Run[]): { table: LaidTable; used: Set<Run> } | null {
  const area = union(rules);
  const xs = positions([...rules.filter((rule) => rule.direction === 'vertical').map((rule) => rule.x + rule.width / 2), area.x, right(area)]);
  const ys = positions([...rules.filter((rule) => rule.direction === 'horizontal').map((rule) => rule.y + rule.height / 2), area.y, bottom(area)]);
  const inner = xs.slice(1, -1).filter((x) => rules.some((rule) => rule.direction === 'vertical' && Math.abs(rule.x + rule.width / 2 - x) <= reach));
  if (inner.length === 0 || ys.length < 3) return null;
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  const owner = mergedPlaces(rules, xs, ys);
  const used = new Set<Run>();
  const inCell = new Map<number, Run[]>();
  for (const run of runs) {
    const [x, y] = [run.x + Math.min(run.width / 2, run.size), run.y + run.height / 2];
    const row = ys.findLastIndex((at) => at <= y);
    const column = xs.findLastIndex((at) => at <= x);
    if (row < 0 || column < 0 || row >= rows || column >= columns) continue;
    used.add(run);
    const place = owner[row * columns + column]!;
    inCell.set(place, [...(inCell.get(place) ?? []), run]);
  }
  if (inCell.size < 3) return null;
  const cells = [...inCell].map(([place, members]): LaidCell => {
    const covered = owner.flatMap((one, index) => (one === place ? [index] : []));
    const last = covered.at(-1)!;
    const row = Math.floor(place / columns);
    const column = place % columns;
    const lines = linesOf(segmentsOf(members)).flatMap((line) => line.segments);
    return { lines, row, column, rows: Math.floor(last / columns) - row + 1, columns: (last % columns) - column + 1 };
  });
  // Lines that only part the columns leave many rows in one: those are told apart by layout.
  if (cells.some((cell) => cell.lines.length >= 3 && cell.lines.filter((line) => isNumber(line.text)).length >= 3)) return null;
  return { table: compact({ ...boundsOf(cells), cells, rows, columns }), used };
}

/** For each place the first place of the cell it belongs to: places with no line between them are one cell. */
function mergedPlaces(rules: readonly Rule[], xs: readonly number[], ys: readonly number[]): number[] {
  const columns = xs.length - 1;
  const owner = Array.from({ length: (ys.length - 1) * columns }, (_, index) => index);
  for (let row = 0; row < ys.length - 1; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      if (column > 0 && !ruledAt(rules, 'vertical', xs[column]!, ys[row]!, ys[row + 1]!)) owner[place] = owner[place - 1]!;
      else if (row > 0 && !ruledAt(rules, 'horizontal', ys[row]!, xs[column]!, xs[column + 1]!)) owner[place] = owner[place - columns]!;
    }
  }
  return owner;
}

/** Without rows and columns that hold nothing: double lines, spacers. */
function compact(table: LaidTable): LaidTable {
  const rows = usedIndexes(table.cells.map((cell) => cell.row));
  const columns = usedIndexes(table.cells.map((cell) => cell.column));
  const cells = table.cells.map((cell) => ({
    ...cell,
    row: rows.indexOf(cell.row),
    column: columns.indexOf(cell.column),
    rows: Math.max(1, rows.filter((row) => row >= cell.row && row < cell.row + cell.rows).length),
    columns: Math.max(1, columns.filter((column) => column >= cell.column && column < cell.column + cell.columns).length),
  }));
  return { ...table, cells, rows: rows.length, columns: columns.length };
}

function usedIndexes(indexes: readonly number[]): number[] {
  return [...new Set(indexes)].toSorted((one, other) => one - other);
}

function positions(values: readonly number[]): number[] {
  const distinct: number[] = [];
  for (const value of values.toSorted((one, other) => one - other)) if (value - (distinct.at(-1) ?? -Infinity) > reach) distinct.push(value);
  return distinct;
}

/** Groups of rules that touch one another and hold both directions. */
function touching(rules: readonly Rule[]): Rule[][] {
  if (!rules.some((rule) => rule.direction === 'vertical')) return [];
  const groups: { rules: Rule[]; areas: Area[] }[] = [];
  for (const rule of rules) {
    const wide = { x: rule.x - reach, y: rule.y - reach, width: rule.width + 2 * reach, height: rule.height + 2 * reach };
    const met = groups.filter((group) => group.areas.some((area) => meets(area, wide)));
    const joined = { rules: [...met.flatMap((group) => group.rules), rule], areas: [...met.flatMap((group) => group.areas), rule] };
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups
    .map((group) => group.rules)
    .filter((group) => group.some((rule) => rule.direction === 'vertical') && group.some((rule) => rule.direction === 'horizontal'));
}

function meets(one: Area, other: Area): boolean {
  return one.x <= right(other) && other.x <= right(one) && one.y <= bottom(other) && other.y <= bottom(one);
}
