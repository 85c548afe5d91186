import { formatNumber } from '../format-number.ts';
import { NotComputed } from './parse-formula.ts';
import {
  CellError,
  compareValues,
  isMatrix,
  listNumbers,
  matchCriterion,
  readSingle,
  toBoolean,
  toNumber,
  toFormulaText,
  type CellValue,
  type Matrix,
} from './values.ts';

type Argument = CellValue | Matrix;
type Library = typeof import('@formulajs/formulajs');
type Call = (parts: readonly Argument[], library: Library) => CellValue;

/** What a function of the library returns, as a cell's value. */
function readResult(value: unknown): CellValue {
  if (value instanceof Error) return new CellError(value.message);
  if (typeof value === 'number') return Number.isFinite(value) ? value : new CellError('#NUM!');
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  throw new NotComputed('its value cannot be read');
}

const invoke = (library: Library, name: string, values: readonly unknown[]): CellValue => {
  const named = (library as Record<string, unknown>)[name];
  if (typeof named !== 'function') throw new NotComputed(`${name} is not known`);
  return readResult(named(...values));
};

/** Functions of all the numbers they are given. */
const overNumbers =
  (compute: (numbers: number[], library: Library) => CellValue): Call =>
  (parts, library) => {
    const numbers = listNumbers(parts);
    return numbers instanceof CellError ? numbers : compute(numbers, library);
  };
const add = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
const mean = (numbers: readonly number[]): CellValue =>
  numbers.length === 0 ? new CellError('#DIV/0!') : add(numbers) / numbers.length;
const fold = (compute: (a: number, b: number) => number) => (numbers: readonly number[]) =>
  numbers.length === 0 ? 0 : numbers.reduce((a, b) => compute(a, b));

/** Functions of single numbers. */
const ofNumbers =
  (name: string): Call =>
  (parts, library) => {
    const numbers = parts.map((part) => toNumber(readSingle(part)));
    return numbers.find((number) => number instanceof CellError) ?? invoke(library, name, numbers);
  };
const ofTexts =
  (name: string): Call =>
  (parts, library) => {
    const values = parts.map((part) => readSingle(part)).map((value) => value ?? '');
    return values.find((value) => value instanceof CellError) ?? invoke(library, name, values);
  };
/** Functions of a list of numbers and then single ones. */
const ofListAnd =
  (name: string): Call =>
  (parts, library) => {
    const numbers = listNumbers(parts.slice(0, 1));
    return numbers instanceof CellError
      ? numbers
      : invoke(library, name, [numbers, ...parts.slice(1).map((part) => toNumber(readSingle(part)))]);
  };

const asMatrix = (part: Argument | undefined): Matrix => {
  if (part === undefined) throw new NotComputed('it lacks an argument');
  return isMatrix(part) ? part : [[part]];
};

/** The values at the places where all criteria hold. */
function select(values: Matrix, criteria: readonly Argument[]): CellValue[] {
  const tests = Array.from({ length: criteria.length / 2 }, (_, at) => ({
    cells: asMatrix(criteria[at * 2]).flat(),
    matches: matchCriterion(readSingle(criteria[at * 2 + 1]!)),
  }));
  return values.flat().filter((_, at) => tests.every(({ cells, matches }) => matches(cells[at] ?? null)));
}

const selected =
  (compute: (numbers: number[]) => CellValue, values: (parts: readonly Argument[]) => CellValue[]): Call =>
  (parts) => {
    const numbers = listNumbers([[values(parts)]]);
    return numbers instanceof CellError ? numbers : compute(numbers);
  };
const ifOne = (parts: readonly Argument[]): CellValue[] =>
  select(asMatrix(parts[2] ?? parts[0]), [parts[0]!, parts[1]!]);
const ifAll = ([values, ...criteria]: readonly Argument[]): CellValue[] => select(asMatrix(values), criteria);

/** Where a value stands in a list: exactly, or, in a sorted one, the last that is not larger. */
function find(wanted: CellValue, list: readonly CellValue[], exactly: boolean): number {
  if (exactly) return list.findIndex((value) => value !== null && compareValues(value, wanted) === 0);
  return list.findLastIndex((value) => typeof value === typeof wanted && compareValues(value, wanted) <= 0);
}
const at = (found: number, list: readonly CellValue[]): CellValue =>
  found === -1 ? new CellError('#N/A') : (list[found] ?? null);
const lookUp =
  (turn: (matrix: Matrix) => Matrix): Call =>
  ([wanted, table, index, sorted]) => {
    const lines = turn(asMatrix(table));
    const place = Number(toNumber(readSingle(index!))) - 1;
    const exactly = sorted !== undefined && toBoolean(readSingle(sorted)) === false;
    const found = find(
      readSingle(wanted!),
      lines.map((line) => line[0]!),
      exactly,
    );
    return found !== -1 && !(place in lines[found]!)
      ? new CellError('#REF!')
      : at(
          found,
          lines.map((line) => line[place]!),
        );
  };
const transpose = (matrix: Matrix): Matrix => (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column]!));
const test =
  (holds: (value: CellValue) => boolean): Call =>
  ([part]) =>
    holds(readSingle(part ?? null));
const truths = (parts: readonly Argument[]): boolean[] =>
  parts
    .flatMap((part) => (isMatrix(part) ? part.flat().filter((value) => typeof value === 'boolean') : [part]))
    .map((value) => toBoolean(value) === true);

const join: Call = (parts) => {
  const values = parts.flatMap((part) => asMatrix(part).flat());
  return values.find((value) => value instanceof CellError) ?? values.map(toFormulaText).join('');
};

const own: Record<string, Call> = {
  SUM: overNumbers(add),
  PRODUCT: overNumbers(fold((a, b) => a * b)),
  MAX: overNumbers(fold(Math.max)),
  MIN: overNumbers(fold(Math.min)),
  AVERAGE: overNumbers(mean),
  COUNT: (parts) =>
    parts.flatMap((part) => (isMatrix(part) ? part.flat() : [part])).filter((one) => typeof one === 'number').length,
  COUNTA: (parts) =>
    parts.flatMap((part) => (isMatrix(part) ? part.flat() : [part])).filter((one) => one !== null).length,
  COUNTBLANK: ([part]) =>
    asMatrix(part)
      .flat()
      .filter((one) => one === null || one === '').length,
  SUMIF: selected(add, ifOne),
  SUMIFS: selected(add, ifAll),
  AVERAGEIF: selected(mean, ifOne),
  AVERAGEIFS: selected(mean, ifAll),
  MAXIFS: selected(fold(Math.max), ifAll),
  MINIFS: selected(fold(Math.min), ifAll),
  COUNTIF: ([range, criterion]) => select(asMatrix(range), [range!, criterion!]).length,
  COUNTIFS: (parts) => select(asMatrix(parts[0]), parts).length,
  SUMPRODUCT: (parts) => {
    const lists = parts.map((part) => asMatrix(part).flat());
    return add(
      lists[0]!.map((_, place) =>
        lists.reduce((product, list) => product * (typeof list[place] === 'number' ? list[place] : 0), 1),
      ),
    );
  },
  AND: (parts) => truths(parts).every(Boolean),
  OR: (parts) => truths(parts).some(Boolean),
  NOT: ([part]) => toBoolean(readSingle(part!)) !== true,
  VLOOKUP: lookUp((matrix) => matrix),
  HLOOKUP: lookUp(transpose),
  MATCH: ([wanted, list, kind]) => {
    const order = kind === undefined ? 1 : toNumber(readSingle(kind));
    if (order === -1) throw new NotComputed('MATCH downwards is not known');
    const found = find(readSingle(wanted!), asMatrix(list).flat(), order === 0);
    return found === -1 ? new CellError('#N/A') : found + 1;
  },
  XLOOKUP: (parts) => {
    if (parts.length > 4) throw new NotComputed('XLOOKUP in another order is not known');
    const found = find(readSingle(parts[0]!), asMatrix(parts[1]).flat(), true);
    return found === -1 && parts.length === 4 ? readSingle(parts[3]!) : at(found, asMatrix(parts[2]).flat());
  },
  INDEX: ([range, row, column]) => {
    const cells = asMatrix(range);
    const [down, right] = [row, column].map((part) => (part === undefined ? 1 : Number(toNumber(readSingle(part)))));
    const isRow = cells.length === 1 && column === undefined;
    const cell = isRow ? cells[0]![down! - 1] : cells[down! - 1]?.[right! - 1];
    return cell === undefined ? new CellError('#REF!') : cell;
  },
  CONCATENATE: join,
  CONCAT: join,
  TEXT: ([value, format]) => {
    const number = toNumber(readSingle(value!));
    return number instanceof CellError ? number : formatNumber(number, toFormulaText(readSingle(format!)));
  },
  ISNUMBER: test((value) => typeof value === 'number'),
  ISTEXT: test((value) => typeof value === 'string'),
  ISBLANK: test((value) => value === null),
  ISERROR: test((value) => value instanceof CellError),
  ISNA: test((value) => value instanceof CellError && value.code === '#N/A'),
  NA: () => new CellError('#N/A'),
  PI: () => Math.PI,
};

const listed = (names: string, call: (name: string) => Call): [string, Call][] =>
  names.split(' ').map((name) => [name, call(name)]);

/** What is computed. All else (the time, chance, other files, the network) is not. */
const functions = new Map<string, Call>([
  ...Object.entries(own),
  ...listed(
    'ABS ROUND ROUNDUP ROUNDDOWN MROUND CEILING FLOOR INT TRUNC MOD QUOTIENT POWER SQRT EXP LN LOG LOG10 SIGN EVEN ' +
      'ODD PMT PV FV NPER RATE SLN IPMT PPMT DB DDB SYD EFFECT NOMINAL',
    ofNumbers,
  ),
  ...listed('LEFT RIGHT MID LEN TRIM UPPER LOWER PROPER SUBSTITUTE FIND SEARCH EXACT REPT', ofTexts),
  ...listed('LARGE SMALL PERCENTILE QUARTILE IRR', ofListAnd),
  ...[
    ['MEDIAN', 'MEDIAN'],
    ['STDEV', 'STDEVS'],
    ['STDEV.S', 'STDEVS'],
    ['STDEVP', 'STDEVP'],
    ['STDEV.P', 'STDEVP'],
    ['VAR', 'VARS'],
    ['VAR.S', 'VARS'],
    ['VARP', 'VARP'],
    ['VAR.P', 'VARP'],
    ['GEOMEAN', 'GEOMEAN'],
    ['SUMSQ', 'SUMSQ'],
  ].map(([name, inLibrary]): [string, Call] => [
    name!,
    overNumbers((numbers, library) => invoke(library, inLibrary!, [numbers])),
  ]),
  [
    'NPV',
    ([rate, ...flows], library) => {
      const numbers = listNumbers(flows);
      return numbers instanceof CellError ? numbers : invoke(library, 'NPV', [toNumber(readSingle(rate!)), ...numbers]);
    },
  ],
]);

export function isKnownFunction(name: string): boolean {
  return functions.has(name);
}

export function callFunction(name: string, parts: readonly Argument[], library: Library): CellValue {
  const call = functions.get(name);
  if (!call) throw new NotComputed(`${name} is not known`);
  return call(parts, library);
}
