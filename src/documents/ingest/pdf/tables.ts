import { boundsOf, cellsOf, isNumber, isValue, type LaidCell, type LaidTable } from './cells.ts';
import { median, overlap, right, union } from './geometry.ts';
import type { Rule } from './graphics.ts';
import type { Line, Segment } from './lines.ts';

interface Row {
  line: Line;
  cells: Segment[];
}

interface Column {
  start: number;
  end: number;
}

/** What stands in a row of the table so far: cells by the first column they cover. */
type PlacedRow = { baseline: number; size: number; cells: Map<number, { lines: Segment[]; columns: number }> };

const year = /^(?:FY\s?)?(?:19|20)\d\d[EAF]?[*†‡⁰¹²³⁴-⁹]*$/u;
/** Words that head several columns at once. */
const heads = /\b(?:ended|ending|years?|months|quarters?|weeks|fiscal|january|february|march|april|may|june|july|august|september|october|november|december|as of|increase|change|total)\b|^(?:FY|H[12]|Q[1-4])?\s?(?:19|20)\d\d$/iu;
/** So many lines of a table in a row may hold a label only. */
const mostLabels = 4;
const openEnd = /(?:[-–,&/]|\s(?:of|and|the|for|to|in|on|from|by|with|or|a|an|at|per|than|as|is|due|under))$/iu;

/** Finds the tables among the lines of a region, by columns that several lines share. Returns lines and tables from top to bottom. */
export function withTables(lines: readonly Line[], rules: readonly Rule[] = []): (Line | LaidTable)[] {
  const found: (Line | LaidTable)[] = [];
  const rows = lines.map((line): Row => ({ line, cells: cellsOf(line) }));
  const width = lines.length > 0 ? union(lines).width : 0;
  for (let index = 0; index < rows.length; ) {
    const end = rows[index]!.cells.length >= 2 ? endOfTable(rows, index, width) : index;
    const start = end > index ? startOfTable(rows, index, end, found) : index;
    const pieces = end > index ? splitAtHeaders(rows.slice(start, end)) : [];
    const tables = pieces.map((piece) => tableOf(piece, rules) ?? piece.map((row) => row.line));
    if (tables.some((table) => !Array.isArray(table))) {
      found.splice(found.length - (index - start), index - start, ...tables.flat());
      index = end;
    } else {
      found.push(rows[index]!.line);
      index += 1;
    }
  }
  return found;
}

/** The first line after those that may belong to the table that begins at `start`. */
function endOfTable(rows: readonly Row[], start: number, width: number): number {
  let end = start + 1;
  let extent = union(rows[start]!.cells);
  for (let index = start + 1, labels = 0; index < rows.length; index += 1) {
    const row = rows[index]!;
    const above = rows[index - 1]!.line;
    if (row.line.baseline - above.baseline > 4.5 * Math.max(row.line.size, above.size)) break;
    if (row.cells.length >= 2) {
      labels = 0;
      end = index + 1;
      extent = union([extent, ...row.cells]);
      continue;
    }
    labels += 1;
    const next = rows.slice(index + 1, index + mostLabels).find((later) => later.cells.length >= 2);
    const valuesAt = Math.min(...rows.slice(start, index).concat(next ?? []).flatMap((one) => one.cells.slice(1).filter((cell) => isValue(cell.text)).map((cell) => cell.x)));
    const reach = next ? union([extent, ...next.cells]).width : extent.width;
    const isProse = row.line.width > 0.72 * Math.max(reach, width * 0.5) && !row.line.text.endsWith(':') && right(row.line) > valuesAt - 1;
    if (isProse || labels > mostLabels) break;
  }
  // A label that goes on below the last row.
  const next = rows[end];
  const last = rows[end - 1]!;
  if (next?.cells.length === 1 && /^[\p{Ll}(]/u.test(next.line.text) && isTight(last.line, next.line) && right(next.line) < right(last.cells[0]!) + 4 * last.line.size) end += 1;
  return end;
}

/** Headings over the columns that stand above the first line with several cells: "Years ended". */
function startOfTable(rows: readonly Row[], first: number, end: number, found: readonly unknown[]): number {
  const body = rows.slice(first, end).filter((row) => row.cells.length >= 2);
  const labels = Math.min(...body.map((row) => row.cells[0]!.x));
  const values = median(body.map((row) => row.cells[1]!.x));
  let start = first;
  while (start > 0 && found.length - (first - start) > 0 && first - start < 3) {
    const above = rows[start - 1]!.line;
    if (found[found.length - 1 - (first - start)] !== above) break;
    const overValues = above.x > Math.max(labels + 0.25 * (values - labels), values - 6 * above.size) && !/^\(.*\)$/.test(above.text);
    if (!overValues || rows[start]!.line.baseline - above.baseline > 2.2 * above.size || above.width > 0.8 * (right(union(body.map((row) => row.line))) - labels)) break;
    start -= 1;
  }
  return start;
}

/** A table right below another begins with headings over the columns, after rows of numbers. */
function splitAtHeaders(rows: readonly Row[]): Row[][] {
  const pieces: Row[][] = [[]];
  let numbers = 0;
  let valuesAt = Infinity;
  for (const [index, row] of rows.entries()) {
    const above = rows[index - 1];
    const isFresh = above && numbers >= 2 && (!isTight(above.line, row.line) || heads.test(row.line.text)) && headsColumns(row, valuesAt);
    if (isFresh && rows.slice(index + 1, index + 16).some(hasNumbers)) {
      pieces.push([]);
      numbers = 0;
      valuesAt = Infinity;
    }
    pieces.at(-1)!.push(row);
    if (!hasNumbers(row)) continue;
    numbers += 1;
    valuesAt = Math.min(valuesAt, row.cells[1]!.x);
  }
  return pieces;
}

function hasNumbers(row: Row): boolean {
  return row.cells.slice(1).some((cell) => isValue(cell.text) && !year.test(cell.text));
}

/** Words or years over the columns of numbers, with nothing in the column of labels but a unit or a period. */
function headsColumns(row: Row, valuesAt: number): boolean {
  const [first, ...rest] = row.cells;
  const over = first!.x + first!.width / 2 > valuesAt ? row.cells : rest;
  if (over.length < row.cells.length && !/^\(|\b(?:ended|ending|as of|fiscal|unaudited|in millions|in thousands)\b/iu.test(first!.text)) return false;
  return over.length > 0 && over.every((cell) => !isValue(cell.text) || year.test(cell.text));
}

function isTight(above: Line, below: Line): boolean {
  return below.baseline - above.baseline <= 1.45 * Math.max(above.size, below.size);
}

function tableOf(rows: readonly Row[], rules: readonly Rule[]): LaidTable | null {
  const several = rows.filter((row) => row.cells.length >= 2);
  const withValues = several.filter((row) => row.cells.slice(1).some((cell) => isValue(cell.text) && !year.test(cell.text)));
  const numeric = withValues.length >= 2 || (withValues.length === 1 && several.length >= 2 && withValues[0]!.cells.filter((cell) => isValue(cell.text)).length >= 2);
  if (numeric ? several.length < 2 : several.length < 3) return null;
  const columns = columnsOf(numeric ? withValues : several);
  if (columns.length < 2) return null;
  if (!numeric && !alignedText(several, columns)) return null;
  const aboveValues = numeric ? rows.findIndex((row) => withValues.includes(row)) : 0;
  const placed = rows.map((row, index) => placeRow(row, columns, index < aboveValues ? rules : null));
  // A label below the names of the columns is no header: it begins a section.
  const headerLines = placed.slice(0, aboveValues).findLastIndex((row) => !isLabel(row)) + 1;
  const header = mergeHeader(placed.slice(0, headerLines));
  const body = numeric ? mergeLabels(placed.slice(headerLines)) : mergeWrapped(placed);
  const cells = [...header, ...body].flatMap((row, index) =>
    [...row.cells].map(([column, cell]): LaidCell => ({ lines: cell.lines, row: index, column, rows: 1, columns: cell.columns })),
  );
  return { ...boundsOf(cells), cells, rows: header.length + body.length, columns: columns.length };
}

/** Text in columns is a table only when its columns begin at the same places. */
function alignedText(rows: readonly Row[], columns: readonly Column[]): boolean {
  const aligned = rows.filter((row) => row.cells.slice(1).every((cell) => columns.some((column) => Math.abs(column.start - cell.x) < 3 || Math.abs(column.end - right(cell)) < 3)));
  const short = rows.filter((row) => row.cells.every((cell) => cell.text.length < 90));
  return aligned.length >= 0.6 * rows.length && short.length >= 0.6 * rows.length;
}

/** Columns: stretches that cells cover, parted by gutters. A long label that reaches under a number does not close a gutter. */
function columnsOf(rows: readonly Row[]): Column[] {
  const all = union(rows.flatMap((row) => row.cells));
  const origin = Math.floor(all.x);
  const length = Math.ceil(all.width) + 2;
  const values = new Uint16Array(length);
  const texts = new Uint16Array(length);
  for (const { cells } of rows) {
    for (const [index, cell] of cells.entries()) {
      const counts = index > 0 && isValue(cell.text) ? values : texts;
      const [from, to] = [Math.round(cell.x - origin), Math.round(right(cell) - origin)];
      for (let at = from; at < to; at += 1) counts[at]! += 1;
    }
  }
  const tolerated = rows.length >= 6 ? Math.max(1, Math.floor(rows.length * 0.12)) : 0;
  const columns: Column[] = [];
  let open: Column | null = null;
  let touchesValues = false;
  for (let at = 0; at < length; at += 1) {
    const isCovered = values[at]! > 0 || texts[at]! > tolerated;
    if (isCovered && open && !touchesValues && values[at]! > 0 && texts[at]! <= tolerated && texts[at - 1]! > tolerated && values[at - 1] === 0) {
      columns.push(open);
      open = null;
    }
    if (isCovered) {
      open ??= { start: origin + at, end: origin + at };
      open.end = origin + at + 1;
      touchesValues = values[at]! > 0;
    } else if (open) {
      columns.push(open);
      open = null;
    }
  }
  if (open) columns.push(open);
  return columns;
}

/** Header lines are placed with the rules under them. */
function placeRow(row: Row, columns: readonly Column[], header: readonly Rule[] | null): PlacedRow {
  const cells: PlacedRow['cells'] = new Map();
  const spans = header ? headerSpans(row, columns, header) : null;
  for (const [index, cell] of row.cells.entries()) {
    const { column, count } = spans?.[index] ?? { column: columnFor(cell, columns, index === 0 && row.cells.length === 1), count: 1 };
    const there = cells.get(column);
    if (there) there.lines.push(cell);
    else cells.set(column, { lines: [cell], columns: count });
  }
  return { baseline: row.line.baseline, size: row.line.size, cells };
}

function columnFor(cell: Segment, columns: readonly Column[], alone: boolean): number {
  const first = columns[0]!;
  // A label may be longer than its column where nothing stands beside it.
  if (cell.x < first.end && (alone || !isValue(cell.text))) return 0;
  let best = 0;
  let most = -Infinity;
  for (const [index, column] of columns.entries()) {
    const shared = overlap(cell.x, right(cell), column.start, column.end) - (isValue(cell.text) ? Math.abs(right(cell) - column.end) * 0.01 : 0);
    if (shared > most) [best, most] = [index, shared];
  }
  return best;
}

/** Which columns the cells of a header line stand over: one that is ruled or centred over several names them all. */
function headerSpans({ cells, line }: Row, columns: readonly Column[], rules: readonly Rule[]): { column: number; count: number }[] {
  const over = cells.map((cell) => {
    const touched = columns.flatMap((column, index) => (overlap(cell.x, right(cell), column.start, column.end) > 0 ? [index] : []));
    return touched.length > 0 ? touched : [columnFor(cell, columns, false)];
  });
  return cells.map((cell, index) => {
    const own = over[index]!;
    if (own[0] === 0 && cell.x < columns[0]!.end) return { column: 0, count: 1 };
    const least = index > 0 ? Math.max(1, over[index - 1]!.at(-1)! + 1) : 1;
    const most = index < cells.length - 1 ? over[index + 1]![0]! - 1 : columns.length - 1;
    const ruled = columnsOverRule(cell, line, columns, rules).filter((column) => column >= least && column <= most);
    const isCentred = ruled.length > 0 && Math.abs(middleOf(columns, ruled[0]!, ruled.at(-1)!) - cell.x - cell.width / 2) < 0.15 * spanWidth(columns, ruled[0]!, ruled.at(-1)!);
    if (isCentred && ruled[0]! <= own[0]! && ruled.at(-1)! >= own.at(-1)!) return { column: ruled[0]!, count: ruled.length };
    return centredSpan(cell, own, columns, least, most);
  });
}

function columnsOverRule(cell: Segment, line: Line, columns: readonly Column[], rules: readonly Rule[]): number[] {
  const under = rules
    .filter((rule) => rule.direction === 'horizontal' && rule.y >= line.baseline - 1 && rule.y <= line.baseline + 0.9 * line.size)
    .toSorted((one, other) => one.x - other.x);
  const stretches: Column[] = [];
  for (const rule of under) {
    const last = stretches.at(-1);
    if (last && rule.x - last.end <= 1.5) last.end = Math.max(last.end, right(rule));
    else stretches.push({ start: rule.x, end: right(rule) });
  }
  const middle = cell.x + cell.width / 2;
  const rule = stretches.find((stretch) => stretch.start - 1 <= middle && stretch.end + 1 >= middle);
  if (!rule) return [];
  return columns.flatMap((column, index) => (overlap(column.start, column.end, rule.start, rule.end) > 0.5 * (column.end - column.start) ? [index] : []));
}

function centredSpan(cell: Segment, own: readonly number[], columns: readonly Column[], least: number, most: number): { column: number; count: number } {
  const single = { column: own[0]!, count: own.length };
  if (own.length === 1 && fits(cell, columns[own[0]!]!)) return single;
  const middle = cell.x + cell.width / 2;
  const off = Math.abs(middleOf(columns, own[0]!, own.at(-1)!) - middle);
  const room = own.length > 1 ? 3 : Math.max(8, 0.3 * spanWidth(columns, own[0]!, own[0]!));
  if (off < room && !heads.test(cell.text)) return single;
  const candidates: { column: number; count: number; distance: number }[] = [];
  for (let start = least; start <= own[0]!; start += 1) {
    for (let end = own.at(-1)!; end <= most; end += 1) candidates.push({ column: start, count: end - start + 1, distance: Math.abs(middleOf(columns, start, end) - middle) });
  }
  const nearest = Math.min(...candidates.map((candidate) => candidate.distance));
  const best = candidates.filter((candidate) => candidate.distance <= nearest + 3).toSorted((one, other) => other.count - one.count)[0];
  return best ? { column: best.column, count: best.count } : single;
}

/** Flush with its own column, as the heading of a column of numbers is. */
function fits(cell: Segment, column: Column): boolean {
  return Math.abs(right(cell) - column.end) < 2.5 || Math.abs(cell.x - column.start) < 2.5;
}

function middleOf(columns: readonly Column[], start: number, end: number): number {
  return (columns[start]!.start + columns[end]!.end) / 2;
}

function spanWidth(columns: readonly Column[], start: number, end: number): number {
  return columns[end]!.end - columns[start]!.start;
}

/** Headings set in several lines over the same columns become one row: "December 2," over "2022". */
function mergeHeader(rows: readonly PlacedRow[]): PlacedRow[] {
  const merged: PlacedRow[] = [];
  for (const row of rows) {
    const above = merged.at(-1);
    const isNear = above && row.baseline - above.baseline <= 1.5 * Math.max(row.size, above.size);
    const continues = isNear && [...row.cells].every(([column, cell]) => !covered(above, column) || above.cells.get(column)?.columns === cell.columns);
    const sharesOne = continues && [...row.cells.keys()].some((column) => above.cells.has(column));
    const overlaps = continues && [...row.cells].some(([column, cell]) => [...above.cells.keys()].some((other) => other > column && other < column + cell.columns));
    if (above && sharesOne && !overlaps) append(above, row);
    else merged.push(row);
  }
  return merged;
}

function covered(row: PlacedRow, column: number): boolean {
  return [...row.cells].some(([start, cell]) => column >= start && column < start + cell.columns);
}

/** Labels of several lines: the numbers stand beside the first or the last of them. */
function mergeLabels(rows: readonly PlacedRow[]): PlacedRow[] {
  const pitches = rows.flatMap((row, index) => (index > 0 && !isLabel(row) && !isLabel(rows[index - 1]!) ? [row.baseline - rows[index - 1]!.baseline] : []));
  const pitch = pitches.length > 0 ? median(pitches) : 0;
  const merged: PlacedRow[] = [];
  let lastBaseline = 0;
  for (const [index, row] of rows.entries()) {
    const above = merged.at(-1);
    if (above && belongsTo(above, row, row.baseline - lastBaseline, rows[index + 1], pitch)) append(above, row);
    else merged.push(row);
    lastBaseline = row.baseline;
  }
  return merged;
}

function isLabel(row: PlacedRow): boolean {
  return row.cells.size === 1 && row.cells.has(0);
}

function belongsTo(above: PlacedRow, row: PlacedRow, distance: number, below: PlacedRow | undefined, pitch: number): boolean {
  if (distance > 1.7 * row.size) return false;
  const last = above.cells.get(0)?.lines.at(-1)?.text;
  const label = row.cells.get(0)?.lines[0]?.text;
  if (label === undefined) return distance <= 1.35 * row.size && [...row.cells.values()].every((cell) => cell.lines.every((line) => !isValue(line.text)));
  if (last === undefined || /[:.]$/.test(last) || !(isLabel(above) || isLabel(row))) return false;
  if (wraps(last, label)) return true;
  if (label.endsWith(':') || distance > 0.87 * pitch || (isLabel(above) && isLabel(row))) return false;
  // A label between two rows of numbers goes with the one it is nearer to, and with the one it reads on into.
  if (!isLabel(row) || !below) return true;
  const next = below.cells.get(0)?.lines[0]?.text ?? '';
  return !wraps(label, next) && distance < 0.95 * (below.baseline - row.baseline);
}

function wraps(text: string, next: string): boolean {
  return openEnd.test(text) || /^(?:[\p{Ll}&]|\(\p{Ll})/u.test(next);
}

/** Cells of text that run over several lines: rows lie further apart than the lines within them. */
function mergeWrapped(rows: readonly PlacedRow[]): PlacedRow[] {
  const distances = rows.slice(1).map((row, index) => row.baseline - rows[index]!.baseline);
  const tight = Math.min(...distances) * 1.15;
  const hasTwoPitches = distances.filter((distance) => distance > tight * 1.1).length >= 0.25 * distances.length && distances.filter((distance) => distance <= tight).length > 0;
  const merged: PlacedRow[] = [];
  for (const [index, row] of rows.entries()) {
    const above = merged.at(-1);
    const startsEmpty = !row.cells.has(0) && index > 0;
    if (above && ((hasTwoPitches && distances[index - 1]! <= tight) || (startsEmpty && distances[index - 1]! <= 1.4 * row.size))) append(above, row);
    else merged.push(row);
  }
  return merged;
}

function append(above: PlacedRow, row: PlacedRow): void {
  for (const [column, cell] of row.cells) {
    const there = above.cells.get(column);
    if (there) there.lines.push(...cell.lines);
    else above.cells.set(column, cell);
  }
}

/** Whether a line could be a row of a table; a page with none needs no look at its drawn lines. */
export function looksTabular(line: Line): boolean {
  return line.segments.length >= 3 || (line.segments.length === 2 && isNumber(line.segments[1]!.text));
}
