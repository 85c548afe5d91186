import { isSamePeriod, orderPeriod, readYear } from '../values/scan-periods.ts';
import type { StatementClause, Mention } from './read-clause.ts';
import {
  groupSeries,
  isDerivedLine,
  isPlanLine,
  type Fact,
  type Name,
  type Series,
  type TypedTable,
} from './typed-table.ts';

/** What a statement wants of the cells that it speaks of. */
export type Wanted = 'amount' | 'rate' | 'any';

const isRate = ({ number, row, column }: Fact): boolean =>
  number.unit === '%' || number.unit === 'pp' || /%|\b(?:rate|margin|ratio)\b/i.test(`${row.label} ${column.label}`);

/** The series that names pick out of a table: one where they say enough, more where they do not. */
export function bindSeries(table: TypedTable, names: readonly Name[], wanted: Wanted = 'any'): Series[] {
  const rows = pickLines(names, 'rows', table);
  const columns = pickLines(names, 'columns', table);
  const derived = names.some(
    ({ columns: own }) => own !== null && [...own].some((at) => isDerivedLine(table.grid.columns[at]!)),
  );
  const planned = names.some(({ text }) => isPlanLine({ label: text } as never));
  const chosen = table.facts.filter(
    (fact) =>
      (rows === null || rows.has(fact.row.index)) &&
      (columns === null || columns.has(fact.column.index)) &&
      (derived || (!isDerivedLine(fact.column) && !(rows === null && isDerivedLine(fact.row)))) &&
      (planned || !isPlanLine(fact.column)) &&
      (wanted === 'any' || isRate(fact) === (wanted === 'rate')),
  );
  return dropRepeats(groupSeries(rows === null ? preferTotals(chosen, table) : chosen));
}

/** What is named of each category; of one that is not named, all. Null where no category is. */
function pickLines(names: readonly Name[], axis: 'rows' | 'columns', table: TypedTable): Set<number> | null {
  const groups = Map.groupBy(
    names.filter((name) => name[axis] !== null),
    ({ category }) => category,
  );
  if (groups.size === 0) return null;
  let picked: Set<number> | null = null;
  for (const members of groups.values()) {
    const named = preferSpecific(members, table).flatMap((name) => [...name[axis]!]);
    picked = new Set(named.filter((line) => picked === null || picked.has(line)));
  }
  return picked;
}

/** "Revenue in Europe" names Europe, though the line of all is called "Total revenue". */
export function preferSpecific(names: readonly Name[], table: TypedTable): readonly Name[] {
  const isTotal = (name: Name): boolean =>
    name.total || (name.rows !== null && [...name.rows].every((row) => table.totals.has(row)));
  const specific = names.filter((name) => !isTotal(name));
  return specific.length > 0 && specific.length < names.length ? specific : names;
}

/** Of a table whose rows are not named: those of its totals, or the periods. */
function preferTotals(facts: readonly Fact[], { totals, names }: TypedTable): readonly Fact[] {
  const named = new Set(names.flatMap(({ rows }) => (rows === null ? [] : [...rows])));
  const dated = facts.filter(({ row }) => row.period !== null && !named.has(row.index));
  if (dated.length > 0) return dated;
  const whole = facts.filter(({ row }) => totals.has(row.index));
  if (new Set(whole.map(({ row }) => row.index)).size === 1) return whole;
  return new Set(facts.map(({ row }) => row.index)).size === 1 ? facts : [];
}

/** A period that a series has twice was told apart by something that was not read. */
function dropRepeats(series: readonly Series[]): Series[] {
  return series.filter(
    ({ facts }) => new Set(facts.map(({ number }) => number.period)).size === facts.length || facts.length === 1,
  );
}

/** The part of a series that lies in a year, or between two periods. */
export function narrowSeries(
  series: Series,
  { periods, bases, text }: StatementClause,
  context: string | null,
): readonly Fact[] {
  const dated = series.facts.filter(({ number }) => number.period !== null);
  const said = [...bases, ...periods].toSorted((left, right) => left.start - right.start).map(({ period }) => period);
  if (said.length >= 2) {
    const [from, to] = [said[0]!, said.at(-1)!].map((period) => orderPeriod(period) ?? 0) as [number, number];
    const first = said[0]!.startsWith('FY') ? from - 12 : from - 1;
    return dated.filter(({ number }) => {
      const at = orderPeriod(number.period!) ?? 0;
      return (at > first && at <= to) || isSamePeriod(number.period!, said[0]!);
    });
  }
  const [period] = said;
  if (period !== undefined && new RegExp(`\\bsince\\b`, 'i').test(text))
    return dated.filter(
      ({ number }) =>
        (orderPeriod(number.period!) ?? 0) >=
        (orderPeriod(period) ?? 0) - (period.startsWith('FY') && !number.period!.startsWith('FY') ? 11 : 0),
    );
  const year = period === undefined ? (context === null ? null : readYear(context)) : readYear(period);
  const within = dated.filter(({ number }) => !number.period!.startsWith('FY') && readYear(number.period!) === year);
  return within.length >= 2 && (period === undefined || period.startsWith('FY')) ? within : dated;
}

/** The value of a series in a period; of the latest where none is said. */
export function findFact(series: Series, period: string | null): Fact | null {
  if (period === null) return series.facts.length === 1 ? series.facts[0]! : findLatest(series);
  const same = series.facts.filter(({ number }) => number.period !== null && isSamePeriod(number.period, period));
  if (same.length === 1) return same[0]!;
  return same.length === 0 && series.facts.length === 1 && series.facts[0]!.number.period === null
    ? series.facts[0]!
    : null;
}

function findLatest({ facts }: Series): Fact | null {
  const last = facts.at(-1)!;
  return last.number.period !== null && facts.every((fact) => kindOf(fact) === kindOf(last)) ? last : null;
}

/** The value before another one: of the period that is named, else of the last one of its kind. */
export function findFactBefore(series: Series, now: Fact, base: string | null): Fact | null {
  if (base !== null && base !== 'previous')
    return series.facts.find(({ number }) => number.period !== null && isSamePeriod(number.period, base)) ?? null;
  const before = series.facts.slice(0, series.facts.indexOf(now)).filter((fact) => kindOf(fact) === kindOf(now));
  return before.at(-1) ?? null;
}

const kindOf = ({ number: { period } }: Fact): string => (period ?? '').replace(/\d+/g, '#');

/** The names of a category that are parts of a whole, each once. */
export function listParts(table: TypedTable, category: string): Name[] {
  return table.names.filter(
    (name) =>
      name.category === category &&
      !name.total &&
      !(name.rows !== null && [...name.rows].every((row) => table.totals.has(row))) &&
      !(name.columns !== null && [...name.columns].every((at) => isDerivedLine(table.grid.columns[at]!))),
  );
}

export const namesOf = (mentions: readonly Mention[]): Name[] => [...new Set(mentions.map(({ name }) => name))];
