import { pattern } from '@agonhq/engine/text';
import type { LongColumn, LongTable } from './collect-columns.ts';

/** What a column of a long table is for. */
export type ColumnRole =
  /** Numbers that add up. */
  | 'measure'
  /** Numbers that do not: prices, rates, scores. */
  | 'rate'
  /** Few values, each in many rows: what rows are grouped by. */
  | 'dimension'
  | 'year'
  | 'date'
  /** Names of single rows, or of few: orders, customers. */
  | 'key'
  | 'other';

export interface DescribedColumn extends LongColumn {
  role: ColumnRole;
  /** Of measures and rates: the most digits behind the point. */
  places: number;
}

/** A column with more values than these is not a way to group rows. */
const mostGroups = 50;
const mostlyShare = 0.9;

const identifier = /(?:^|[\s_-])(?:id|ids|no|nr|number|code|key|zip|postcode|phone|index|rank)$/iu;
const rateName = pattern('iu')`
  (?:^|[\s_(-])(?:rate|ratio|percent|percentage|pct|price|margin|average|avg|mean|median|score|rating|age
  |temperature|temp|latitude|longitude|lat|lon|discount|share|yield|per)(?:$|[\s_)-])|%`;

export function describeColumns({ columns, rows }: LongTable): DescribedColumn[] {
  return columns.map((column) => describeColumn(column, rows));
}

function describeColumn(column: LongColumn, rows: number): DescribedColumn {
  const { name, numbers, decimals, codes, values } = column;
  let [numeric, texts, places, integers, years] = [0, 0, 0, 0, 0];
  for (let row = 0; row < rows; row += 1) {
    const value = numbers[row]!;
    if (Number.isNaN(value)) {
      if (codes[row] !== 0) texts += 1;
      continue;
    }
    numeric += 1;
    if (decimals[row]! > places) places = decimals[row]!;
    if (decimals[row] === 0) integers += 1;
    if (decimals[row] === 0 && value >= 1900 && value <= 2100) years += 1;
  }
  const told = numeric + texts;
  const role = (): ColumnRole => {
    if (told === 0) return 'other';
    if (numeric >= told * mostlyShare) {
      if (years === numeric && (/year|fy|period/iu.test(name) || countDistinct(numbers, mostGroups) <= 30))
        return 'year';
      if (integers === numeric && (identifier.test(splitCamelCase(name)) || isCounter(numbers, rows))) return 'key';
      return rateName.test(splitCamelCase(name)) ? 'rate' : 'measure';
    }
    if (numeric > 0 && texts < told * mostlyShare) return 'other';
    if (isDateColumn(values)) return 'date';
    if (values.length <= mostGroups && values.length * 4 < rows) return values.length > 1 ? 'dimension' : 'other';
    return values.some((value) => value.length <= 80) ? 'key' : 'other';
  };
  return { ...column, role: role(), places };
}

function splitCamelCase(name: string): string {
  return name.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
}

function countDistinct(numbers: Float64Array, most: number): number {
  const seen = new Set<number>();
  for (const value of numbers) {
    if (!Number.isNaN(value)) seen.add(value);
    if (seen.size > most) break;
  }
  return seen.size;
}

/** 1, 2, 3 …: the number of a row and no amount. */
function isCounter(numbers: Float64Array, rows: number): boolean {
  for (let row = 1; row < rows; row += 1) if (numbers[row] !== numbers[row - 1]! + 1) return false;
  return rows > 2;
}

function isDateColumn(values: readonly string[]): boolean {
  const sample = values.slice(0, 1000);
  const read = createDateReader(sample);
  return sample.length > 0 && sample.filter((value) => read(value) !== null).length >= sample.length * mostlyShare;
}

export interface ReadDate {
  year: number;
  /** 1 to 12; null where day and month cannot be told apart. */
  month: number | null;
}

const isoDate = /^((?:19|20)\d{2})[-/](\d{1,2})(?:[-/]\d{1,2})?(?:[T\s].*)?$/u;
const localDate = /^(\d{1,2})([./-])(\d{1,2})\2((?:19|20)\d{2})(?:\s.*)?$/u;

/** Reads `2024-03-05`, `5.3.2024` and `3/25/2024`: a column has one order, and its unmistakable dates show which. */
export function createDateReader(values: readonly string[]): (text: string) => ReadDate | null {
  const local = values.flatMap((value) => localDate.exec(value) ?? []);
  const parts = Array.from({ length: local.length / 5 }, (_, index) => local.slice(index * 5, index * 5 + 5));
  const dayFirst = parts.some(([, first, separator]) => Number(first) > 12 || separator === '.');
  const monthFirst = parts.some(([, , , second]) => Number(second) > 12);
  return (text) => {
    const iso = isoDate.exec(text);
    if (iso) return checkMonth(Number(iso[1]), Number(iso[2]));
    const match = localDate.exec(text);
    if (!match) return null;
    const year = Number(match[4]);
    if (dayFirst === monthFirst) return { year, month: match[1] === match[3] ? Number(match[1]) : null };
    return checkMonth(year, Number(dayFirst ? match[3] : match[1]));
  };
}

function checkMonth(year: number, month: number): ReadDate | null {
  return month >= 1 && month <= 12 ? { year, month } : null;
}
