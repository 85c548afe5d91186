import { callFunction, isKnownFunction } from './call-function.ts';
import { NotComputed, parseFormula, type CellReference, type Formula } from './parse-formula.ts';
import {
  CellError,
  compareValues,
  readSingle,
  toBoolean,
  toNumber,
  toFormulaText,
  type CellValue,
  type Matrix,
} from './values.ts';

/** A cell that has a formula and no saved value. */
export interface OpenFormula {
  text: string;
  /** How far a shared formula was moved from where it was written. */
  down: number;
  right: number;
}

/** What formulas may read of a sheet. */
export interface FormulaSheet {
  name: string;
  rows: number;
  columns: number;
  read(row: number, column: number): CellValue | OpenFormula;
}

export interface FormulaResult {
  /** Null where it was not computed. */
  value: CellValue;
  /** Why not. */
  why?: string;
}

/** In all: a workbook that needs more is made to keep the reader busy. */
const mostReads = 5_000_000;
const deepest = 300;

const isOpen = (cell: CellValue | OpenFormula): cell is OpenFormula =>
  typeof cell === 'object' && cell !== null && 'text' in cell;

/** Computes what has no saved value. Nothing outside of the sheets is read; what is not known is said. */
export async function openFormulas(
  sheets: readonly FormulaSheet[],
): Promise<(sheet: string, row: number, column: number) => FormulaResult> {
  const library = await import('@formulajs/formulajs');
  const byName = new Map(sheets.map((sheet) => [sheet.name.toLowerCase(), sheet]));
  const trees = new Map<string, Formula>();
  const results = new Map<string, FormulaResult | 'under way'>();
  let reads = 0;
  let depth = 0;

  function compute(sheet: FormulaSheet, row: number, column: number, cell: OpenFormula): FormulaResult {
    const key = `${sheet.name}!${row}:${column}`;
    const known = results.get(key);
    if (known === 'under way') throw new NotComputed('it refers to itself');
    if (known) return known;
    if (depth > deepest) throw new TooDeep();
    results.set(key, 'under way');
    depth += 1;
    let result: FormulaResult;
    try {
      const tree = trees.get(cell.text) ?? parseFormula(cell.text);
      trees.set(cell.text, tree);
      const value = readSingle(evaluate(tree, { sheet, row, column, ...cell }));
      result = { value: typeof value === 'number' ? Number(value.toPrecision(15)) : (value ?? 0) };
    } catch (error) {
      results.delete(key);
      if (!(error instanceof NotComputed)) throw error;
      result = { value: null, why: error.message };
    } finally {
      depth -= 1;
    }
    results.set(key, result);
    return result;
  }

  interface Standing extends OpenFormula {
    sheet: FormulaSheet;
  }

  function readCell(sheet: FormulaSheet, row: number, column: number): CellValue {
    reads += 1;
    if (reads > mostReads) throw new NotComputed('the workbook needs too many steps');
    const cell = sheet.read(row, column);
    if (!isOpen(cell)) return cell;
    const { value, why } = compute(sheet, row, column, cell);
    if (why === undefined) return value;
    throw new NotComputed(why === 'it refers to itself' ? why : 'it builds on one that was not computed');
  }

  function evaluate(tree: Formula, standing: Standing & { row: number; column: number }): CellValue | Matrix {
    if (tree.kind === 'value') return tree.value;
    if (tree.kind === 'error') return new CellError(tree.code);
    if (tree.kind === 'name') throw new NotComputed(`the name ${tree.name} is not known`);
    if (tree.kind === 'range') return readRange(tree, standing);
    if (tree.kind === 'call') return call(tree.name, tree.arguments, standing);
    if (tree.kind === 'operation')
      return operate(
        tree.operator,
        readSingle(evaluate(tree.left, standing)),
        readSingle(evaluate(tree.right, standing)),
      );
    const number = toNumber(readSingle(evaluate(tree.of, standing)));
    if (number instanceof CellError || tree.sign === '+') return number;
    return tree.sign === '-' ? -number : number / 100;
  }

  function readRange(
    { sheet: name, from, to }: Extract<Formula, { kind: 'range' }>,
    standing: Standing,
  ): CellValue | Matrix {
    const sheet = name === null ? standing.sheet : byName.get(name.toLowerCase());
    if (sheet === undefined) throw new NotComputed(`the sheet “${name}” is not there`);
    const rows = spanOf(from, to, 'row', standing.down, sheet.rows);
    const columns = spanOf(from, to, 'column', standing.right, sheet.columns);
    if (rows === null || columns === null) return new CellError('#REF!');
    if (from === to) return readCell(sheet, rows[0], columns[0]);
    // What lies beyond the last cell is blank: it need not be walked.
    const [bottom, end] = [Math.min(rows[1], sheet.rows - 1), Math.min(columns[1], sheet.columns - 1)];
    const lines: CellValue[][] = [];
    for (let row = rows[0]; row <= Math.max(bottom, rows[0]); row += 1) {
      const line: CellValue[] = [];
      for (let column = columns[0]; column <= Math.max(end, columns[0]); column += 1)
        line.push(readCell(sheet, row, column));
      lines.push(line);
    }
    return lines;
  }

  /** Those that choose look at what they choose alone. */
  function call(
    name: string,
    parts: readonly Formula[],
    standing: Standing & { row: number; column: number },
  ): CellValue {
    const single = (index: number): CellValue =>
      parts[index] === undefined ? null : readSingle(evaluate(parts[index], standing));
    if (name === 'IF') {
      const holds = toBoolean(single(0));
      if (holds instanceof CellError) return holds;
      return holds ? (parts.length > 1 ? single(1) : true) : parts.length > 2 ? single(2) : false;
    }
    if (name === 'IFERROR' || name === 'IFNA') {
      const value = single(0);
      const isCaught = value instanceof CellError && (name === 'IFERROR' || value.code === '#N/A');
      return isCaught ? single(1) : value;
    }
    if (name === 'IFS' || name === 'SWITCH') {
      const subject = name === 'SWITCH' ? single(0) : null;
      const first = name === 'SWITCH' ? 1 : 0;
      for (let at = first; at + 1 < parts.length; at += 2)
        if (name === 'SWITCH' ? compareValues(single(at), subject) === 0 : toBoolean(single(at)) === true)
          return single(at + 1);
      return name === 'SWITCH' && (parts.length - first) % 2 === 1 ? single(parts.length - 1) : new CellError('#N/A');
    }
    if (name === 'CHOOSE') {
      const index = toNumber(single(0));
      return index instanceof CellError
        ? index
        : index in parts && index >= 1
          ? single(index)
          : new CellError('#VALUE!');
    }
    if (!isKnownFunction(name)) throw new NotComputed(`${name} is not known`);
    return callFunction(
      name,
      parts.map((part) => evaluate(part, standing)),
      library,
    );
  }

  return (name, row, column) => {
    const sheet = byName.get(name.toLowerCase())!;
    const cell = sheet.read(row, column);
    if (!isOpen(cell)) return { value: cell };
    try {
      return compute(sheet, row, column, cell);
    } catch (error) {
      if (error instanceof TooDeep) return { value: null, why: 'it builds on too many others' };
      if (error instanceof NotComputed) return { value: null, why: error.message };
      throw error;
    }
  };
}

/** Computed another time, when what it builds on is known. */
class TooDeep extends Error {}

function spanOf(
  from: CellReference,
  to: CellReference,
  axis: 'row' | 'column',
  shift: number,
  size: number,
): [number, number] | null {
  const place = (reference: CellReference, whole: number): number => {
    const at = reference[axis];
    if (at === null) return whole;
    return at + ((axis === 'row' ? reference.fixedRow : reference.fixedColumn) ? 0 : shift);
  };
  const [a, b] = [place(from, 0), place(to, size - 1)];
  return a < 0 || b < 0 ? null : [Math.min(a, b), Math.max(a, b)];
}

function operate(operator: string, left: CellValue, right: CellValue): CellValue {
  if (left instanceof CellError) return left;
  if (right instanceof CellError) return right;
  if (operator === '&') return `${toFormulaText(left)}${toFormulaText(right)}`;
  const order = () => compareValues(left, right);
  if (operator === '=') return order() === 0;
  if (operator === '<>') return order() !== 0;
  if (operator === '<') return order() < 0;
  if (operator === '>') return order() > 0;
  if (operator === '<=') return order() <= 0;
  if (operator === '>=') return order() >= 0;
  const [a, b] = [toNumber(left), toNumber(right)];
  if (a instanceof CellError) return a;
  if (b instanceof CellError) return b;
  if (operator === '/' && b === 0) return new CellError('#DIV/0!');
  const result = { '+': a + b, '-': a - b, '*': a * b, '/': a / b, '^': a ** b }[operator]!;
  return Number.isFinite(result) ? result : new CellError('#NUM!');
}
