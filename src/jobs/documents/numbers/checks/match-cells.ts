import type { Place } from '../finding.ts';
import { type Grid, type Line, type NumberCell, growthName, planName, ratioName } from '../tables/grid.ts';
import { headlineMetrics, metricWords } from '../values/find-measures.ts';
import { isSamePeriod, orderPeriod } from '../values/scan-periods.ts';
import { anyMeasure } from '../statements/find-metric.ts';
import { planBase, type Statement } from '../statements/read-statements.ts';
import { wordSet } from '../../../../text/index.ts';

/** A number of a table that a statement may be about. */
export interface Match {
  grid: Grid;
  row: Line;
  column: Line;
  number: NumberCell;
  /** How many words of its headers the statement names. */
  specificity: number;
}

const generic = wordSet(`
  end count base number segment region division unit line category department area country channel market type item
  description metric measure indicator key us in $ € £ actual amount value consolidated statement breakdown
  development summary overview selected active`);
const rateWords =
  /^(?:growth|change|yoy|share|mix|variance|increase|decrease|contribution|difference|proportion|weight)$/;

/** The numbers of tables by the measure they show. */
export class CellIndex {
  readonly #byMetric = new Map<string, Match[]>();
  readonly #cells: Match[] = [];

  constructor(grids: readonly Grid[]) {
    for (const grid of grids) {
      const heads = grid.columns.map(({ label, period }) => `${label}|${period}`);
      for (const { row, column, number } of grid.cells) {
        // Two columns under one header were told apart by something that was not read.
        if (heads.indexOf(heads[column]!) !== heads.lastIndexOf(heads[column]!)) continue;
        const match: Match = { grid, row: grid.rows[row]!, column: grid.columns[column]!, number, specificity: 0 };
        this.#cells.push(match);
        for (const metric of listMetrics(match)) {
          const known = this.#byMetric.get(metric);
          if (known === undefined) this.#byMetric.set(metric, [match]);
          else known.push(match);
        }
      }
    }
  }

  /** The same numbers, but of some lines only. */
  within(lines: ReadonlySet<Line>): CellIndex {
    const part = new CellIndex([]);
    const kept = (matches: readonly Match[]): Match[] =>
      matches.filter(({ row, column }) => lines.has(row) || lines.has(column));
    part.#cells.push(...kept(this.#cells));
    for (const [metric, matches] of this.#byMetric) part.#byMetric.set(metric, kept(matches));
    return part;
  }

  /** The number that stands at a place. */
  at({ block, start }: Place): Match | undefined {
    return this.#cells.find(({ grid, number }) => grid.id === block && number.cell.start === start);
  }

  /** Whether a table has this very value under headers that share a word: it may be meant otherwise than matched. */
  explains(statement: Statement, value: number, tolerance: number): boolean {
    return this.#cells.some(
      ({ number, row, column }) =>
        (number.unit === '%' || number.unit === 'pp') === (statement.unit === '%' || statement.unit === 'pp') &&
        Math.abs(Math.abs(number.value) - Math.abs(value)) <= tolerance + number.precision &&
        number.value !== 0 &&
        (statement.period === null || number.period === null || isSamePeriod(number.period, statement.period)) &&
        (statement.modifiers.length > 0 ? statement.modifiers : [statement.metric]).some((word) =>
          [...row.words, ...column.words, ...splitGroupWords(row.group)].includes(word),
        ),
    );
  }

  /** The numbers whose headers say what a statement says, in any period. */
  matching(
    statement: Pick<Statement, 'metric' | 'modifiers' | 'words' | 'leading' | 'context' | 'planned'>,
    wanted: (match: Match) => boolean,
  ): Match[] {
    return (statement.metric === anyMeasure ? this.#cells : (this.#byMetric.get(statement.metric) ?? [])).flatMap(
      (match) => {
        if (!wanted(match) || (statement.planned !== null && statement.planned !== isPlan(match))) return [];
        if (match.row.label.trim() === '' && match.column.words.length === 0) return [];
        const required = [...match.row.words, ...match.column.words].filter(
          (word) => !generic.has(word) && word !== statement.metric,
        );
        if (!required.every((word) => statement.words.has(word))) return [];
        const own = new Set([...match.row.words, ...match.column.words, ...splitGroupWords(match.row.group)]);
        const direct = namesMetricDirectly(match, statement.metric);
        const beside = new Set([...statement.modifiers, ...statement.leading]);
        // A measure that only the title names, or one of many kinds (a cost, a fee), must be narrowed down to the
        // very row.
        if ((!direct || !headlineMetrics.has(statement.metric)) && !required.every((word) => beside.has(word)))
          return [];
        // A part of "Total subscription revenue" is subscription revenue.
        const narrowed = match.row.whole.includes(statement.metric)
          ? match.row.whole.filter((word) => !metricWords.has(word))
          : match.grid.titleModifiers;
        if (!direct && !narrowed.every((word) => generic.has(word) || statement.words.has(word))) return [];
        if (
          !statement.modifiers.every(
            (word) =>
              generic.has(word) ||
              own.has(word) ||
              (headlineMetrics.has(statement.metric) && match.grid.titleWords.includes(word)),
          )
        )
          return [];
        if (
          statement.modifiers.includes('segment') &&
          statement.modifiers.every((word) => generic.has(word)) &&
          !own.has('segment')
        )
          return [];
        if (
          !statement.context.every(
            (word) => own.has(word) || match.grid.titleWords.includes(word) || match.grid.sectionWords.includes(word),
          )
        )
          return [];
        const lines = new Set([...match.row.words, ...match.column.words]);
        const group = splitGroupWords(match.row.group);
        if (
          statement.modifiers.some((word) => group.includes(word) && !lines.has(word)) &&
          !group.every((word) => generic.has(word) || statement.words.has(word))
        )
          return [];
        return [{ ...match, specificity: new Set(required).size + (direct ? 0.5 : 0) }];
      },
    );
  }
}

/** Of some matches, those that name the most of what a statement says. */
export function selectClosest(matches: readonly Match[]): Match[] {
  const most = Math.max(...matches.map(({ specificity }) => specificity));
  return matches.filter(({ specificity }) => specificity === most);
}

function namesMetricDirectly(match: Match, metric: string): boolean {
  return match.row.words.includes(metric) || match.column.words.includes(metric);
}

/** What a cell measures: its headers say so, else the heading it stands under, else the table's title. */
function listMetrics({ row, column, grid }: Match): Set<string> {
  const own = [...row.words, ...column.words].filter((word) => metricWords.has(word));
  if (own.some((word) => headlineMetrics.has(word))) return new Set(own);
  const part = row.whole.filter((word) => metricWords.has(word));
  const group = part.length > 0 ? part : splitGroupWords(row.group).filter((word) => metricWords.has(word));
  const title = grid.titleWords.filter((word) => metricWords.has(word));
  const around =
    group.length > 0 ? group : title.length > 0 ? title : grid.sectionWords.filter((word) => metricWords.has(word));
  // "Contract Logistics" in a table of revenue is revenue all the same.
  return new Set(own.length > 0 ? [...own, ...around.filter((word) => headlineMetrics.has(word))] : around);
}

function splitGroupWords(text: string): string[] {
  return text === ''
    ? []
    : text
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .filter((word) => word !== '')
        .map((word) => (word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word))
        .map((word) => (/^(?:sale|turnover|revenue)$/.test(word) ? 'revenue' : word));
}

export function isRate({ number, row, column }: Match): boolean {
  return (
    number.unit === '%' ||
    number.unit === 'pp' ||
    (number.unit === null && (ratioName.test(row.label) || ratioName.test(column.label)))
  );
}

/** The 100 % of a total: no statement is about it. */
export function isWhole({ number, row }: Match): boolean {
  return (
    number.unit === '%' && Math.abs(number.value - 1) <= number.precision && /\b(?:total|group|all)\b/i.test(row.label)
  );
}

/** A number of the budget. */
export function isPlan({ row, column }: Match): boolean {
  return planName.test(column.label) || planName.test(row.label);
}

export function isChangeLine({ row, column }: Match): boolean {
  return growthName.test(row.label) || growthName.test(column.label);
}

export function isDerived({ row, column }: Match): boolean {
  return (
    [...row.words, ...column.words].some((word) => rateWords.test(word)) ||
    /%|\bshare\b/i.test(column.label) ||
    growthName.test(column.label)
  );
}

/** Of some matches, the closest of a period; of the latest one of their table where none is named. */
export function selectClosestInPeriod(matches: readonly Match[], period: string | null): Match[] {
  return period === null
    ? selectInPeriod(selectClosest(matches), null)
    : selectClosest(selectInPeriod(matches, period));
}

/** The same, close or not. */
export function selectInPeriod(matches: readonly Match[], period: string | null): Match[] {
  if (period !== null)
    return matches.filter(({ number }) => number.period !== null && isSamePeriod(number.period, period));
  const latest = new Map<Grid, number>();
  for (const { grid, number } of matches)
    latest.set(grid, Math.max(latest.get(grid) ?? 0, number.period === null ? 0 : (orderPeriod(number.period) ?? 0)));
  return matches.filter(
    ({ grid, number }) => number.period === null || (orderPeriod(number.period) ?? 0) === latest.get(grid),
  );
}

/** The same measure a period earlier, in the same table. */
export function findEarlier(match: Match, matches: readonly Match[], base: string | null): Match | null {
  const siblings = matches.filter(
    (other) =>
      other !== match &&
      other.grid === match.grid &&
      other.number.period !== null &&
      (other.row === match.row || other.column === match.column) &&
      hasSameWords(other, match),
  );
  if (base === planBase) return null;
  if (base !== null && base !== 'previous') {
    const named = siblings.filter(({ number }) => isSamePeriod(number.period!, base));
    if (named.length > 0) return named.length === 1 ? named[0]! : null;
  }
  if (match.number.period === null) return null;
  const now = orderPeriod(match.number.period);
  const before = siblings.filter(
    ({ number }) =>
      now !== null &&
      (orderPeriod(number.period!) ?? Infinity) < now &&
      periodKind(number.period!) === periodKind(match.number.period!),
  );
  const last = before.toSorted(
    (left, right) => orderPeriod(right.number.period!)! - orderPeriod(left.number.period!)!,
  )[0];
  return last !== undefined && (base === null || base === 'previous') ? last : null;
}

function hasSameWords(left: Match, right: Match): boolean {
  const key = ({ row, column }: Match): string => [...row.words, '|', ...column.words].join(' ');
  return key(left) === key(right);
}

function periodKind(period: string): string {
  return period.replace(/\d+/g, '#');
}
