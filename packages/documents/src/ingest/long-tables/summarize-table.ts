import type { RawCell, RawPart } from '../raw.ts';
import type { LongTable } from './collect-columns.ts';
import { describeColumns, type DescribedColumn } from './describe-columns.ts';
import {
  countRows,
  groupAll,
  groupByPeriod,
  groupByValue,
  sumByGroups,
  type Grouping,
  type Totals,
} from './group-rows.ts';

/** Of each: enough for any report, and not so many that the totals are as long as the table. */
const most = { dimensions: 8, figures: 6, crossed: 4, periodColumns: 16, periodRows: 60 };

const countName = 'Number of rows';

/** What rows of a long table are grouped by and what is added up. */
export interface Cube {
  table: LongTable;
  figures: readonly DescribedColumn[];
  dimensions: readonly Grouping[];
  years: Grouping | null;
  keys: readonly DescribedColumn[];
  columns: readonly DescribedColumn[];
}

export function buildCube(table: LongTable): Cube {
  const columns = describeColumns(table);
  const ofRole = (...roles: DescribedColumn['role'][]): DescribedColumn[] =>
    columns.filter(({ role }) => roles.includes(role));
  const when = [...ofRole('date'), ...ofRole('year')][0];
  const years = when ? groupByPeriod(when, 'year') : null;
  return {
    table,
    columns,
    figures: ofRole('measure', 'rate').slice(0, most.figures),
    dimensions: ofRole('dimension').slice(0, most.dimensions).map(groupByValue),
    years: years && years.labels.length <= most.periodColumns ? years : null,
    keys: ofRole('key'),
  };
}

/** A long table by its totals: over all rows, by period, by each way to group its rows, and by that and year. */
export function summarizeTable(cube: Cube): RawPart[] {
  const { table, figures, dimensions, years, columns } = cube;
  const all = groupAll(table);
  const parts: RawPart[] = [describeInWords(cube)];
  parts.push(...tabulate(cube, 'Totals of all rows', [all], years));
  const when = columns.find(({ role }) => role === 'date');
  for (const period of ['quarter', 'month'] as const) {
    const groups = when ? groupByPeriod(when, period) : null;
    if (groups && groups.labels.length > 1 && groups.labels.length <= most.periodRows)
      parts.push(...tabulateFigures(cube, `By ${period}`, groups));
  }
  for (const dimension of dimensions) {
    parts.push(...tabulateFigures(cube, `By ${dimension.name}`, dimension));
    if (years === null) continue;
    for (const figure of figures.slice(0, most.crossed)) parts.push(...cross(cube, figure, dimension, years));
  }
  return parts.map((part) => (table.sheet === undefined ? part : { ...part, sheet: table.sheet }));
}

function describeInWords({ table, columns, dimensions }: Cube): RawPart {
  const lines = columns.map((column) => {
    const groups = dimensions.find(({ name }) => name === column.name);
    return groups ? `${column.name}: ${groups.labels.join(', ')}` : `${column.name}: ${describeRole(column)}`;
  });
  return { kind: 'list', text: [`Columns of ${tellCount(table.rows)} rows`, ...lines].join('\n') };
}

function describeRole({ role, values }: DescribedColumn): string {
  if (role === 'measure') return 'numbers, added up';
  if (role === 'rate') return 'numbers, averaged';
  if (role === 'date' || role === 'year') return 'when';
  return `${role === 'key' ? 'names' : 'other values'}${values.length > 0 ? `, ${tellCount(values.length)}` : ''}`;
}

export function tellCount(count: number): string {
  return count.toLocaleString('en');
}

/** One row for each figure, one column for each year: as a report has it. */
function tabulate(cube: Cube, title: string, [all]: [Grouping], years: Grouping | null): RawPart[] {
  const { table, figures } = cube;
  const columns = years ?? all;
  const rows = figures.map((figure) => [
    { text: nameFigure(figure) },
    ...listFigures(figure, all, columns),
    ...(years ? listFigures(figure, all, all) : []),
  ]);
  const count = { ...countRows(table), name: countName, role: 'measure' as const };
  const counted = [
    { text: countName },
    ...listFigures(count, all, columns),
    ...(years ? listFigures(count, all, all) : []),
  ];
  const header = ['', ...columns.labels, ...(years ? ['Total'] : [])].map((text) => ({ text }));
  return titled(cube, title, [header, ...rows, counted]);
}

/** One row for each group, one column for each figure, and a total. */
export function tabulateFigures(cube: Cube, title: string, groups: Grouping): RawPart[] {
  const { table, figures } = cube;
  const all = groupAll(table);
  const count = { ...countRows(table), name: countName, role: 'measure' as const };
  const columns = [...figures, count];
  const header = [{ text: groups.name }, ...figures.map((figure) => ({ text: nameFigure(figure) }))];
  const byColumn = columns.map((figure) => [...listFigures(figure, groups, all), ...listFigures(figure, all, all)]);
  const rows = [...groups.labels, 'Total'].map((label, at) => [
    { text: label },
    ...byColumn.map((cells) => cells[at]!),
  ]);
  return titled(cube, title, [[...header, { text: countName }], ...rows]);
}

/** One figure: one row for each group and a total, one column for each year and all of them. */
export function cross(cube: Cube, figure: DescribedColumn, groups: Grouping, years: Grouping): RawPart[] {
  const all = groupAll(cube.table);
  const body = listFigures(figure, groups, years);
  const totals = listFigures(figure, groups, all);
  const width = years.labels.length;
  const rows = groups.labels.map((label, at) => [
    { text: label },
    ...body.slice(at * width, (at + 1) * width),
    totals[at]!,
  ]);
  const last = [{ text: 'Total' }, ...listFigures(figure, all, years), ...listFigures(figure, all, all)];
  const header = [groups.name, ...years.labels, 'Total'].map((text) => ({ text }));
  return titled(cube, `${capitalize(nameFigure(figure))} by ${groups.name} and year`, [header, ...rows, last]);
}

function titled({ table }: Cube, title: string, rows: RawCell[][]): RawPart[] {
  return [
    { kind: 'heading', level: 6, text: `${title}, computed from ${tellCount(table.rows)} rows` },
    { kind: 'table', rows, headerRows: 1, headerColumns: 1 },
  ];
}

function nameFigure({ name, role }: Pick<DescribedColumn, 'name' | 'role'>): string {
  return role === 'rate' ? `Average ${name}` : name;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A measure's sums or a rate's averages, group by group; blank where no row has a number. */
function listFigures(
  figure: Pick<DescribedColumn, 'name' | 'numbers' | 'places' | 'role'>,
  first: Grouping,
  second: Grouping,
): RawCell[] {
  const { sums, counts }: Totals = sumByGroups(figure, first, second);
  const places = Math.min(8, figure.role === 'rate' ? figure.places + 2 : figure.places);
  return Array.from(sums, (sum, at) => {
    if (counts[at] === 0) return { text: '' };
    const exact = figure.role === 'rate' ? sum / counts[at]! : sum;
    const value = Number(exact.toFixed(places));
    const text = value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places });
    const groups = [first.labels[Math.floor(at / second.labels.length)]!, second.labels[at % second.labels.length]!];
    return { text, value, address: nameSource(figure, groups) };
  });
}

/** Where a figure comes from: `sum of revenue, North, 2023`. */
function nameSource({ name, role }: Pick<DescribedColumn, 'name' | 'role'>, groups: readonly string[]): string {
  const of = name === countName ? 'count of rows' : `${role === 'rate' ? 'average' : 'sum'} of ${name}`;
  return [of, ...groups.filter((label) => label !== 'Total')].join(', ');
}
