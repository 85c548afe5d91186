import { agreesWith } from './check-level.ts';
import {
  formatFigure,
  findQuotientTolerance,
  formatValue,
  isWithin,
  type Draft,
  draftStatement,
  type PlacedStatement,
} from './draft-finding.ts';
import { type Line, shareName } from '../tables/grid.ts';
import {
  selectClosestInPeriod,
  isChangeLine,
  isDerived,
  isRate,
  isWhole,
  type CellIndex,
  type Match,
} from './match-cells.ts';
import { headlineMetrics } from '../values/find-measures.ts';

/** A part of a whole against both, or against the share that the table states. */
export function checkShare(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const entity = index.matching({ ...statement, modifiers: [], leading: [...statement.words] }, (match) =>
    [...match.row.words, ...match.column.words].some((word) => word !== statement.metric && statement.words.has(word)),
  );
  const stated = selectClosestInPeriod(
    entity.filter((match) => isRate(match) && !isWhole(match) && !isChangeLine(match) && !isBareRate(match)),
    statement.period,
  );
  if (stated.length === 1 || new Set(stated.map(({ number }) => number.value)).size === 1) {
    const [cell] = stated;
    const holds = agreesWith(statement, cell!.number);
    if (!holds && (statement.unsure || statement.loose)) return [];
    const check = holds ? 'share' : 'statement-against-table';
    const arithmetic = `stated ${statement.text}, the table has ${formatFigure(cell!.number)}`;
    return draftStatement(placed, check, holds, arithmetic, [cell!], Math.abs(statement.value - cell!.number.value));
  }
  const amounts = entity.filter((match) => !isRate(match) && !isDerived(match));
  // Where rows add up to a total, the part is one of them, and not the total that is named, too.
  const summed = amounts.filter((match) => isPartOf(match, statement.words));
  const parts = selectClosestInPeriod(summed.length > 0 ? summed : amounts, statement.period);
  const ways = parts.flatMap((part) => {
    const whole = findWhole(part, statement.metric, statement.words);
    if (whole === null) return [];
    const value = part.number.value / whole.value;
    return [
      {
        part,
        whole,
        value,
        holds: isWithin(value, statement.value, statement.precision + whole.tolerance + (statement.loose ? 0.02 : 0)),
      },
    ];
  });
  const way = ways.find(({ holds }) => holds) ?? ways[0];
  if (way === undefined) return [];
  // In a long report, what a relative clause names may be neither the part nor the whole.
  const aside =
    placed.several &&
    /\b(?:which|that|than)\b/i.test(placed.sentence.slice(0, placed.sentence.indexOf(statement.text)));
  const sure =
    !statement.unsure &&
    !aside &&
    !statement.loose &&
    Math.abs(way.value - statement.value) - statement.precision <= 0.4 &&
    ways.every(({ value, whole }) => isWithin(value, way.value, whole.tolerance + way.whole.tolerance));
  if (!way.holds && !sure) return [];
  const quotient = `${way.part.number.text} / ${way.whole.told} = ${formatValue(way.value, true)}`;
  const told = `${quotient}, stated ${statement.text}`;
  const gap = Math.abs(way.value - statement.value);
  return draftStatement(placed, 'share', way.holds, told, [way.part, ...way.whole.cells], gap);
}

/** "%" alone says a share only where the title does. */
function isBareRate({ grid, column }: Match): boolean {
  return /^\(?%\)?$/.test(column.label.trim()) && !shareName.test(grid.title);
}

interface Whole {
  value: number;
  /** How far a part of it may be off for the rounding of both. */
  tolerance: number;
  told: string;
  cells: readonly Match[];
}

/** The total of its row or column, else all parts together where the table is nothing but parts. */
function findWhole(part: Match, metric: string, said: ReadonlySet<string>): Whole | null {
  const total = findTotal(part, metric, said);
  if (total !== null) return total.number.value <= 0 ? null : buildWhole(part, total);
  const { grid, row, column, number } = part;
  // Where rows add up to others, not all of them are parts of one whole.
  if (grid.rows.some(({ total: sum }) => sum !== null)) return null;
  const across =
    row.period === null && row.words.length > 0
      ? grid.rows.map((line) => ({ row: line, column }))
      : grid.columns.map((line) => ({ row, column: line }));
  const lines = across.map((line) => ({ ...line, number: grid.at(line.row.index, line.column.index) }));
  const alike = lines.every(
    (line) =>
      line.number !== undefined &&
      line.number.unit === number.unit &&
      line.number.value > 0 &&
      line.number.period === number.period &&
      !namesMetric(line.row === row ? line.column : line.row),
  );
  if (lines.length < 2 || !alike) return null;
  const cells = lines.map((line): Match => ({ grid, ...line, number: line.number!, specificity: 0 }));
  const value = cells.reduce((sum, cell) => sum + cell.number.value, 0);
  const precision = cells.reduce((sum, cell) => sum + cell.number.precision, 0);
  // One that is as much as all others is their total, whatever it is called.
  const sum = cells.find((cell) => isWithin(2 * cell.number.value, value, precision));
  if (sum !== undefined) return sum.number === number ? null : buildWhole(part, sum);
  if (cells.some((cell, at) => isSubtotal(cell, cells.slice(0, at)))) return null;
  return {
    value,
    tolerance: (number.precision + (number.value / value) * precision) / value,
    told: `(${cells.map((cell) => cell.number.text).join(' + ')})`,
    cells: cells.filter((cell) => cell.number !== number),
  };
}

function buildWhole(part: Match, total: Match): Whole {
  const { value, text } = total.number;
  return { value, tolerance: findQuotientTolerance(part.number, total.number), told: text, cells: [total] };
}

/** A row that adds up to the very total that the statement names. */
function isPartOf({ grid, row }: Match, said: ReadonlySet<string>): boolean {
  const total = row.total === null ? [] : grid.rows[row.total]!.words;
  return total.length > 0 && total.every((word) => said.has(word));
}

/** As much as the two or more lines right above it. */
function isSubtotal({ number }: Match, above: readonly Match[]): boolean {
  let sum = 0;
  let precision = number.precision;
  return above.toReversed().some((cell, count) => {
    sum += cell.number.value;
    precision += cell.number.precision;
    return count > 0 && isWithin(sum, number.value, precision);
  });
}

const namesMetric = ({ words }: Line): boolean => words.some((word) => headlineMetrics.has(word));

function findTotal(part: Match, metric: string, said: ReadonlySet<string>): Match | null {
  const { grid, row, column, number } = part;
  const sum = isPartOf(part, said) ? grid.at(row.total!, column.index) : undefined;
  if (sum !== undefined && sum.unit === number.unit)
    return { grid, row: grid.rows[row.total!]!, column, number: sum, specificity: 0 };
  const total = /\b(?:total|sum|overall|all|group|combined|consolidated)\b/i;
  const rows = grid.rows.filter(
    (other) => other !== row && total.test(other.label) && (other.words.length === 0 || other.words.includes(metric)),
  );
  const inRow = rows.length === 1 ? grid.at(rows[0]!.index, column.index) : undefined;
  if (inRow !== undefined && inRow.unit === number.unit)
    return { grid, row: rows[0]!, column, number: inRow, specificity: 0 };
  const columns = grid.columns.filter((other) => other !== column && total.test(other.label));
  const inColumn = columns.length === 1 ? grid.at(row.index, columns[0]!.index) : undefined;
  return inColumn !== undefined && inColumn.unit === number.unit
    ? { grid, row, column: columns[0]!, number: inColumn, specificity: 0 }
    : null;
}
