import { NotComputed } from './parse-formula.ts';

/** `#DIV/0!`: what a formula shows in the place of a value. */
export class CellError {
  readonly code: string;
  constructor(code: string) {
    this.code = code;
  }
}

export type CellValue = number | string | boolean | null | CellError;
/** Rows of values: what a range holds. */
export type Matrix = readonly (readonly CellValue[])[];

export function isMatrix(value: CellValue | Matrix): value is Matrix {
  return Array.isArray(value);
}

/** The one value of a range of one cell; a larger range stands for no single value. */
export function readSingle(value: CellValue | Matrix): CellValue {
  if (!isMatrix(value)) return value;
  if (value.length === 1 && value[0]!.length === 1) return value[0]![0]!;
  throw new NotComputed('it takes a range for a value');
}

export function toNumber(value: CellValue): number | CellError {
  if (value instanceof CellError || typeof value === 'number') return value;
  if (value === null) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const text = value.trim();
  const number = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text.replaceAll(',', ''));
  return text === '' || Number.isNaN(number) ? new CellError('#VALUE!') : number;
}

export function toFormulaText(value: CellValue): string {
  if (value instanceof CellError) return value.code;
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value);
}

export function toBoolean(value: CellValue): boolean | CellError {
  if (value instanceof CellError || typeof value === 'boolean') return value;
  if (value === null) return false;
  if (typeof value === 'number') return value !== 0;
  return /^true$/iu.test(value) ? true : /^false$/iu.test(value) ? false : new CellError('#VALUE!');
}

/** Numbers before texts before truth values, as a spreadsheet sorts; texts without regard to case. */
export function compareValues(left: CellValue, right: CellValue): number {
  const rank = (value: CellValue): number => (typeof value === 'number' ? 0 : typeof value === 'string' ? 1 : 2);
  const [a, b] = [left ?? blankLike(right), right ?? blankLike(left)];
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'string' && typeof b === 'string') return a.toLowerCase().localeCompare(b.toLowerCase(), 'en');
  return Number(a) - Number(b);
}

function blankLike(other: CellValue): CellValue {
  return typeof other === 'string' ? '' : typeof other === 'boolean' ? false : 0;
}

/**
 * Every number: of ranges only those that are numbers, of single values also what reads as one. The first error wins.
 */
export function listNumbers(values: readonly (CellValue | Matrix)[]): number[] | CellError {
  const numbers: number[] = [];
  for (const value of values) {
    for (const one of isMatrix(value) ? value.flat() : [value]) {
      if (one instanceof CellError) return one;
      if (isMatrix(value) ? typeof one !== 'number' : one === null) continue;
      const number = toNumber(one);
      if (number instanceof CellError) return number;
      numbers.push(number);
    }
  }
  return numbers;
}

/** Excel's criteria: `">=5"`, `"<>x"`, `"a*"`, a value. */
export function matchCriterion(criterion: CellValue): (value: CellValue) => boolean {
  const [, operator = '=', rest = ''] = /^(<>|<=|>=|<|>|=)?(.*)$/su.exec(toFormulaText(criterion))!;
  // Each star may begin anywhere: a criterion of many takes too long.
  if (rest.split('*').length > 4) throw new NotComputed('its criterion has too many wildcards');
  const number = rest.trim() === '' ? Number.NaN : Number(rest.replaceAll(',', ''));
  const wild = new RegExp(
    `^${rest
      .replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')
      .replaceAll('\\*', '[^]*')
      .replaceAll('\\?', '[^]')}$`,
    'iu',
  );
  const isEqual = (value: CellValue): boolean => {
    if (value === null) return rest === '';
    if (!Number.isNaN(number)) return typeof value === 'number' ? value === number : toFormulaText(value) === rest;
    return typeof value === 'string' && wild.test(value);
  };
  if (operator === '=') return isEqual;
  if (operator === '<>') return (value) => !isEqual(value);
  return (value) => {
    const bound = Number.isNaN(number) ? rest : number;
    if (typeof value !== typeof bound) return false;
    const order = compareValues(value, bound);
    return operator.includes('=') && order === 0 ? true : operator.startsWith('<') ? order < 0 : order > 0;
  };
}
