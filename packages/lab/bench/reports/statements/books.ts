import type { Random } from '../random.ts';

/** Figures of one measure: a row for each entity, a column for each period. */
export interface Books {
  title: string;
  /** "the depots" */
  noun: { one: string; many: string };
  measure: { name: string; title: string; unit: string; decimals: number };
  second: { name: string; title: string };
  entities: readonly string[];
  periods: readonly string[];
  /** "year", "quarter", "month". */
  span: string;
  values: readonly (readonly number[])[];
  /** Of the second measure, in the last period. */
  others: readonly number[];
  /** Which of its tables turn periods into rows. */
  turned: boolean;
}

interface Kind {
  title: string;
  noun: Books['noun'];
  measure: Books['measure'];
  second: Books['second'];
  entities: readonly string[];
  size: readonly [number, number];
}

/** Kinds of report that the readers were developed on. */
const developed: readonly Kind[] = [
  {
    title: 'Sales report',
    noun: { one: 'region', many: 'regions' },
    measure: { name: 'sales', title: 'Sales', unit: 'EUR million', decimals: 1 },
    second: { name: 'stores', title: 'Stores' },
    entities: ['North', 'South', 'East', 'West', 'Coast', 'Islands'],
    size: [40, 400],
  },
  {
    title: 'Hospital review',
    noun: { one: 'ward', many: 'wards' },
    measure: { name: 'admissions', title: 'Admissions', unit: '', decimals: 0 },
    second: { name: 'beds', title: 'Beds' },
    entities: ['Cardiology', 'Surgery', 'Paediatrics', 'Oncology', 'Neurology', 'Maternity'],
    size: [300, 4000],
  },
  {
    title: 'Energy report',
    noun: { one: 'plant', many: 'plants' },
    measure: { name: 'output', title: 'Output', unit: 'GWh', decimals: 1 },
    second: { name: 'turbines', title: 'Turbines' },
    entities: ['Alder Ridge', 'Birch Point', 'Cedar Falls', 'Dune Park', 'Elm Creek'],
    size: [20, 300],
  },
  {
    title: 'Faculty report',
    noun: { one: 'faculty', many: 'faculties' },
    measure: { name: 'enrolments', title: 'Enrolments', unit: '', decimals: 0 },
    second: { name: 'lecturers', title: 'Lecturers' },
    entities: ['Law', 'Medicine', 'Engineering', 'Humanities', 'Economics'],
    size: [500, 6000],
  },
];

/** Kinds that were kept back. */
const keptBack: readonly Kind[] = [
  {
    title: 'Freight statistics',
    noun: { one: 'depot', many: 'depots' },
    measure: { name: 'tonnage', title: 'Tonnage', unit: 'thousand tonnes', decimals: 1 },
    second: { name: 'lorries', title: 'Lorries' },
    entities: ['Hartwell', 'Oakham Junction', 'Pellbridge', 'Quarry Lane', 'Ravensford', 'Stokeley'],
    size: [15, 250],
  },
  {
    title: 'Museum attendance',
    noun: { one: 'house', many: 'houses' },
    measure: { name: 'visitors', title: 'Visitors', unit: '', decimals: 0 },
    second: { name: 'guides', title: 'Guides' },
    entities: ['Maritime Museum', 'Textile Gallery', 'Railway Hall', 'Botanic Collection', 'Glass House'],
    size: [2000, 90000],
  },
  {
    title: 'Town budget',
    noun: { one: 'department', many: 'departments' },
    measure: { name: 'expenditure', title: 'Expenditure', unit: 'GBP thousand', decimals: 0 },
    second: { name: 'posts', title: 'Posts' },
    entities: ['Housing', 'Roads', 'Libraries', 'Parks', 'Refuse', 'Planning'],
    size: [200, 9000],
  },
];

export function keepBooks(random: Random, isHeldOut: boolean): Books {
  const kind = random.pick(isHeldOut ? keptBack : developed);
  const span = random.pick(['year', 'quarter']);
  const last = random.integer(2019, 2024);
  const periods =
    span === 'year'
      ? Array.from({ length: random.integer(3, 5) }, (_, index) => String(last - index)).toReversed()
      : ['Q1', 'Q2', 'Q3', 'Q4'].map((quarter) => `${quarter} ${last}`);
  const entities = random.some(kind.entities, random.integer(4, kind.entities.length));
  const round = (value: number): number =>
    Math.round(value * 10 ** kind.measure.decimals) / 10 ** kind.measure.decimals;
  const values = entities.map(() => {
    let value = random.between(...kind.size);
    const drift = random.pick([1.08, 0.94, 1]);
    return periods.map(() => {
      value *= drift * random.between(drift === 1 ? 0.85 : 0.97, drift === 1 ? 1.15 : 1.04);
      return round(value);
    });
  });
  return {
    ...kind,
    entities,
    periods,
    span,
    values,
    others: entities.map(() => random.integer(3, 90)),
    turned: random.chance(0.4),
  };
}

export function totalsOf({ values, periods, measure }: Books): number[] {
  const factor = 10 ** measure.decimals;
  return periods.map((_, at) => Math.round(values.reduce((sum, row) => sum + row[at]!, 0) * factor) / factor);
}

export function showNumber(value: number, decimals: number): string {
  return new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(
    value,
  );
}

/** The tables of a report, as Markdown. */
export function writeTables(books: Books): string[] {
  const { entities, periods, values, measure, noun, second, turned } = books;
  const show = (value: number): string => showNumber(value, measure.decimals);
  const unit = measure.unit === '' ? '' : ` (${measure.unit})`;
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const write = (title: string, rows: readonly (readonly string[])[]): string =>
    `${title}\n\n${[row(rows[0]!), row(rows[0]!.map(() => '---')), ...rows.slice(1).map(row)].join('\n')}`;
  const capital = noun.one[0]!.toUpperCase() + noun.one.slice(1);
  const main = [
    [capital, ...periods],
    ...entities.map((entity, at) => [entity, ...values[at]!.map(show)]),
    ['Total', ...totalsOf(books).map(show)],
  ];
  const flipped = main[0]!.map((_, column) => main.map((cells) => cells[column]!));
  flipped[0]![0] = 'Period';
  return [
    write(`${measure.title} by ${noun.one}${unit}`, turned ? flipped : main),
    write(`${second.title} by ${noun.one}, ${periods.at(-1)}`, [
      [capital, second.title],
      ...entities.map((entity, at) => [entity, String(books.others[at])]),
    ]),
  ];
}
