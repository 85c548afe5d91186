import { boundCells, isNumberText, type LaidCell, type LaidTable } from './split-cells.ts';
import { bottom, right, union, type Area } from './geometry.ts';
import { isRuledAt, type Rule } from './read-graphics.ts';
import { splitRunWords, placeRow } from './find-table-columns.ts';
import { buildLines, buildSegments, type PdfLine } from './build-lines.ts';
import type { GlyphRun } from './read-runs.ts';

const reach = 3;
/** In points: three lines of names. */
const highestHead = 42;

/** Tables that drawn lines divide into cells, and the runs that stand in them. */
export function findRuledTables(
  runs: readonly GlyphRun[],
  rules: readonly Rule[],
): { tables: LaidTable[]; rest: GlyphRun[] } {
  const tables: LaidTable[] = [];
  let rest = [...runs];
  for (const group of groupTouching(rules)) {
    const grid = buildGrid(group, rest);
    if (!grid) continue;
    const whole = extendToHead(group, rules, rest);
    const table = whole === group ? grid : (buildGrid(whole, rest) ?? grid);
    tables.push(table.table);
    rest = rest.filter((run) => !table.used.has(run));
  }
  return { tables, rest };
}

/** Where columns are parted only below their names, they reach up to the line that these stand under. */
function extendToHead(group: readonly Rule[], rules: readonly Rule[], runs: readonly GlyphRun[]): readonly Rule[] {
  const area = union(group);
  const isHead = (rule: Rule): boolean =>
    rule.direction === 'horizontal' &&
    Math.abs(rule.x - area.x) <= reach &&
    Math.abs(right(rule) - right(area)) <= reach &&
    area.y - rule.y > reach &&
    area.y - rule.y < highestHead;
  const [head] = rules.filter(isHead).toSorted((one, other) => other.y - one.y);
  if (!head) return group;
  const edges = group.filter((rule) => rule.direction === 'vertical' && rule.y <= area.y + reach);
  const names = runs.filter(
    (run) =>
      run.y + run.height / 2 > head.y &&
      run.y + run.height / 2 < area.y &&
      run.x >= area.x &&
      right(run) <= right(area) + reach,
  );
  const named = new Set(names.map((run) => edges.filter((edge) => edge.x < run.x + run.width / 2).length));
  if (named.size < 2) return group;
  return [
    head,
    ...group.map((rule) => (edges.includes(rule) ? { ...rule, y: head.y, height: bottom(rule) - head.y } : rule)),
  ];
}

/** Headings right above a ruled table, each over several columns ("Revenue | Profit" over the years); else null. */
export function addHeadingsAbove(table: LaidTable, line: PdfLine | undefined): LaidTable | null {
  if (
    !line ||
    line.segments.length < 2 ||
    table.y - bottom(line) > 1.2 * line.size ||
    line.segments.some((segment) => isNumberText(segment.text))
  )
    return null;
  const { columnEdges: columns } = table;
  if (!columns || line.x < columns[0]!.end || right(line) > right(table) + line.size) return null;
  const placed = [...placeRow({ line, cells: [...line.segments] }, columns, []).cells].map(
    ([column, cell]): LaidCell => ({ lines: cell.lines, row: 0, column, rows: 1, columns: cell.columns }),
  );
  if (!placed.some((cell) => cell.columns > 1)) return null;
  const cells = [...placed, ...table.cells.map((cell) => ({ ...cell, row: cell.row + 1 }))];
  return { ...boundCells(cells), cells, rows: table.rows + 1, columns: table.columns };
}

function buildGrid(
  rules: readonly Rule[],
  runs: readonly GlyphRun[],
): { table: LaidTable; used: Set<GlyphRun> } | null {
  const area = union(rules);
  const xs = listPositions([
    ...rules.filter((rule) => rule.direction === 'vertical').map((rule) => rule.x + rule.width / 2),
    area.x,
    right(area),
  ]);
  const ys = listPositions([
    ...rules.filter((rule) => rule.direction === 'horizontal').map((rule) => rule.y + rule.height / 2),
    area.y,
    bottom(area),
  ]);
  const inner = xs
    .slice(1, -1)
    .filter((x) =>
      rules.some((rule) => rule.direction === 'vertical' && Math.abs(rule.x + rule.width / 2 - x) <= reach),
    );
  if (inner.length === 0 || ys.length < 3) return null;
  const [rows, columns] = [ys.length - 1, xs.length - 1];
  const owner = mergePlaces(rules, xs, ys);
  const used = new Set<GlyphRun>();
  const inCell = new Map<number, GlyphRun[]>();
  for (const run of runs) {
    const row = ys.findLastIndex((at) => at <= run.y + run.height / 2);
    const pieces = row === 0 ? cutAtRules(run, inner) : [run];
    for (const piece of pieces) {
      const column = xs.findLastIndex((at) => at <= piece.x + Math.min(piece.width / 2, piece.size));
      if (row < 0 || column < 0 || row >= rows || column >= columns) continue;
      used.add(run);
      const place = owner[row * columns + column]!;
      inCell.set(place, [...(inCell.get(place) ?? []), piece]);
    }
  }
  if (inCell.size < 3) return null;
  const cells = [...inCell].map(([place, members]): LaidCell => {
    const covered = owner.flatMap((one, index) => (one === place ? [index] : []));
    const last = covered.at(-1)!;
    const row = Math.floor(place / columns);
    const column = place % columns;
    const lines = buildLines(buildSegments(members)).flatMap((line) => line.segments);
    return { lines, row, column, rows: Math.floor(last / columns) - row + 1, columns: (last % columns) - column + 1 };
  });
  // Lines that only part the columns leave many rows in one: those are told apart by layout.
  if (cells.some((cell) => cell.lines.length >= 3 && cell.lines.filter((line) => isNumberText(line.text)).length >= 3))
    return null;
  return {
    table: dropEmptyLines({
      ...boundCells(cells),
      cells,
      rows,
      columns,
      columnEdges: xs.slice(1).map((end, index) => ({ start: xs[index]!, end })),
    }),
    used,
  };
}

/** Names of two columns that stand as near as words were read as one: a line runs between them, and through no word. */
function cutAtRules(run: GlyphRun, inner: readonly number[]): GlyphRun[] {
  if (!inner.some((x) => x > run.x + run.size && x < right(run) - run.size)) return [run];
  const words = splitRunWords(run);
  return words.some((word) => inner.some((x) => x > word.x + reach && x < right(word) - reach)) ? [run] : words;
}

/** For each place the first place of the cell it belongs to: places with no line between them are one cell. */
function mergePlaces(rules: readonly Rule[], xs: readonly number[], ys: readonly number[]): number[] {
  const columns = xs.length - 1;
  const owner = Array.from({ length: (ys.length - 1) * columns }, (_, index) => index);
  for (let row = 0; row < ys.length - 1; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      if (column > 0 && !isRuledAt(rules, 'vertical', xs[column]!, ys[row]!, ys[row + 1]!))
        owner[place] = owner[place - 1]!;
      else if (row > 0 && !isRuledAt(rules, 'horizontal', ys[row]!, xs[column]!, xs[column + 1]!))
        owner[place] = owner[place - columns]!;
    }
  }
  return owner;
}

/** Without rows and columns that hold nothing: double lines, spacers. */
function dropEmptyLines(table: LaidTable): LaidTable {
  const rows = listUsedIndexes(table.cells.map((cell) => cell.row));
  const columns = listUsedIndexes(table.cells.map((cell) => cell.column));
  const cells = table.cells.map((cell) => ({
    ...cell,
    row: rows.indexOf(cell.row),
    column: columns.indexOf(cell.column),
    rows: Math.max(1, rows.filter((row) => row >= cell.row && row < cell.row + cell.rows).length),
    columns: Math.max(
      1,
      columns.filter((column) => column >= cell.column && column < cell.column + cell.columns).length,
    ),
  }));
  return {
    ...table,
    cells,
    rows: rows.length,
    columns: columns.length,
    columnEdges: columns.map((column) => table.columnEdges![column]!),
  };
}

function listUsedIndexes(indexes: readonly number[]): number[] {
  return [...new Set(indexes)].toSorted((one, other) => one - other);
}

function listPositions(values: readonly number[]): number[] {
  const distinct: number[] = [];
  for (const value of values.toSorted((one, other) => one - other))
    if (value - (distinct.at(-1) ?? -Infinity) > reach) distinct.push(value);
  return distinct;
}

/** Groups of rules that touch one another and hold both directions. */
function groupTouching(rules: readonly Rule[]): Rule[][] {
  if (!rules.some((rule) => rule.direction === 'vertical')) return [];
  const groups: { rules: Rule[]; areas: Area[] }[] = [];
  for (const rule of rules) {
    const wide = {
      x: rule.x - reach,
      y: rule.y - reach,
      width: rule.width + 2 * reach,
      height: rule.height + 2 * reach,
    };
    const met = groups.filter((group) => group.areas.some((area) => areasMeet(area, wide)));
    const joined = {
      rules: [...met.flatMap((group) => group.rules), rule],
      areas: [...met.flatMap((group) => group.areas), rule],
    };
    for (const group of met) groups.splice(groups.indexOf(group), 1);
    groups.push(joined);
  }
  return groups
    .map((group) => group.rules)
    .filter(
      (group) =>
        group.some((rule) => rule.direction === 'vertical') && group.some((rule) => rule.direction === 'horizontal'),
    );
}

function areasMeet(one: Area, other: Area): boolean {
  return one.x <= right(other) && other.x <= right(one) && one.y <= bottom(other) && other.y <= bottom(one);
}
