import type { Place } from './finding.ts';
import { draft, placesOf, quotientTolerance, shown, within, type Draft } from './draft.ts';
import { closest, earlier, inPeriod, isChangeLine, isDerived, isRate, ofPeriod, type CellIndex, type Match } from './match.ts';
import type { NumberCell } from './grid.ts';
import { headlineMetrics } from './measure-words.ts';
import { yearBefore } from './periods.ts';
import type { Statement } from './statements.ts';

/** A statement with where it stands. */
export interface PlacedStatement {
  statement: Statement;
  sentence: string;
  /** Of its number or word; null for a claim that is not in the dossier. */
  place: Place | null;
  /** The document is long and speaks of several periods: without one, nothing is sure. */
  several: boolean;
}

const profitOf: Record<string, readonly string[]> = {
  grossmargin: ['grossprofit'], operatingmargin: ['operatingprofit'], netmargin: ['netprofit', 'profit'], ebitdamargin: ['ebitda'],
  margin: ['operatingprofit', 'netprofit', 'grossprofit', 'profit', 'ebitda'],
};

/** One statement against the tables. */
export function checkStatement(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const checks = { level, share, change, direction };
  return checks[statement.role](placed, index).filter(({ outcome, check }) => outcome === 'holds'
    || statement.role === 'direction'
    || check === 'units'
    || !index.explains(statement, statement.value, statement.precision));
}

function level(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const rate = statement.unit === '%';
  const all = index.matching(
    statement,
    (match) => isRate(match) === rate && !isChangeLine(match) && (rate || !isDerived(match)) && countsAgree(statement, match.number),
  );
  if (statement.period === 'previous') return [];
  if (statement.period === null && placed.several && all.length > 0 && !all.some(({ number }) => agrees(statement, number))) return [];
  const now = inPeriod(all, statement.period);
  if (now.length === 0) return rate ? margin(placed, index) : elsewhere(placed, all);
  const held = now.find((match) => agrees(statement, match.number));
  if (held !== undefined) return [tell(placed, 'statement-against-table', true, `${statement.text} = ${held.number.text}`, [held], 0)];
  const [first] = now;
  const sameValue = new Set(now.map(({ number }) => number.value)).size === 1 || now.every(({ grid }) => grid === first!.grid && now.length === 1);
  const factor = now.map((match) => powerBetween(statement, match.number)).find((power) => power !== null);
  if (factor !== undefined) return statement.unsure
    ? []
    : [tell(
      placed, 'units', false, `${statement.text} against ${first!.number.text} ${caption(first!)}: a factor of ${factor}`, [first!],
      Math.abs(statement.value - first!.number.value),
    )];
  const swapped = all.find((match) => !now.includes(match) && match.grid === first!.grid && agrees(statement, match.number));
  if (statement.unsure || statement.loose || !sameValue) return [];
  if (swapped !== undefined
    && statement.period !== null
    && Math.abs(statement.value) > (placed.several ? 100 : 15) * statement.precision) return [tell(
    placed, 'period', false,
    `${statement.text} is the value of ${swapped.number.period}; ${first!.number.period} has ${first!.number.text}`, [first!, swapped],
    Math.abs(Math.abs(statement.value) - Math.abs(first!.number.value)),
  )];
  if (swapped !== undefined) return [];
  const quotient = Math.abs(statement.value / first!.number.value);
  const wide = statement.period !== null && statement.main && headlineMetrics.has(statement.metric) ? 10 : 3.3;
  if (!(quotient > 1 / wide && quotient < wide) || !commensurate(statement, first!.number)) return [];
  return [tell(
    placed, 'statement-against-table', false, `stated ${statement.text}, the table has ${first!.number.text} ${caption(first!)}`.trim(),
    now.slice(0, 2), Math.abs(Math.abs(statement.value) - Math.abs(first!.number.value)),
  )];
}

/** The very value, to the digit, but of another period than the one that is named, which the table does not have. */
function elsewhere(placed: PlacedStatement, all: readonly Match[]): Draft[] {
  const { statement } = placed;
  const { period } = statement;
  if (period === null
    || statement.unsure
    || statement.loose
    || Math.abs(statement.value) < 200 * statement.precision
    || !/^(?:FY\d{4}|[QH]\d \d{4})$/.test(period)) return [];
  const same = closest(all).filter(({ number }) => number.period !== null
    && number.period.slice(0, 1) === period.slice(0, 1)
    && within(Math.abs(number.value), Math.abs(statement.value), number.precision));
  return same.length === 1
    ? [tell(placed, 'period', false, `${statement.text} is the value of ${same[0]!.number.period}, stated for ${period}`, same, 0)]
    : [];
}

/** A margin that no table states, from the profit and the revenue that one does. */
function margin(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const quotient = marginCells(placed, index, statement.period);
  if (quotient === null) return [];
  const { profit, revenue } = quotient;
  const value = profit.number.value / revenue.number.value;
  const holds = within(value, statement.value, statement.precision + quotientTolerance(profit.number, revenue.number) + (statement.loose ? 0.01 : 0));
  if (!holds && (statement.unsure || statement.loose || Math.abs(value - statement.value) > 0.3)) return [];
  return [tell(
    placed, 'margin', holds, `${profit.number.text} / ${revenue.number.text} = ${shown(value, true)}, stated ${statement.text}`,
    [profit, revenue], Math.abs(value - statement.value),
  )];
}

function marginCells({ statement }: PlacedStatement, index: CellIndex, period: string | null): { profit: Match; revenue: Match } | null {
  const found: { profit: Match; revenue: Match }[] = [];
  for (const word of profitOf[statement.metric] ?? []) {
    const words = new Set([...statement.words, word, 'revenue']);
    const profits = inPeriod(index.matching({ ...statement, metric: word, words }, (match) => !isRate(match) && !isDerived(match)), period);
    for (const profit of profits) {
      const revenues = inPeriod(
        index.matching(
          { ...statement, metric: 'revenue', words },
          (match) => match.grid === profit.grid
            && !isRate(match)
            && !isDerived(match)
            && (match.column === profit.column || match.row === profit.row),
        ),
        period,
      );
      if (revenues.length === 1) found.push({ profit, revenue: revenues[0]! });
    }
    if (found.length > 0) break;
  }
  return found.length === 1 || new Set(found.map(({ profit, revenue }) => profit.number.value / revenue.number.value)).size === 1 ? found[0]! : null;
}

function share(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const entity = index.matching(
    { ...statement, modifiers: [] },
    (match) => [...match.row.words, ...match.column.words].some((word) => word !== statement.metric && statement.words.has(word)),
  );
  const stated = inPeriod(entity.filter((match) => isRate(match) && !isChangeLine(match)), statement.period);
  if (stated.length === 1 || new Set(stated.map(({ number }) => number.value)).size === 1) {
    const [cell] = stated;
    const holds = agrees(statement, cell!.number);
    if (!holds && (statement.unsure || statement.loose)) return [];
    return [tell(
      placed, holds ? 'share' : 'statement-against-table', holds, `stated ${statement.text}, the table has ${cell!.number.text}`, [cell!],
      Math.abs(statement.value - cell!.number.value),
    )];
  }
  const parts = inPeriod(entity.filter((match) => !isRate(match) && !isDerived(match)), statement.period);
  for (const part of parts) {
    const whole = wholeOf(part, statement.metric);
    if (whole === null || whole.number.value <= 0) continue;
    const value = part.number.value / whole.number.value;
    const holds = within(value, statement.value, statement.precision + quotientTolerance(part.number, whole.number) + (statement.loose ? 0.02 : 0));
    if (!holds && (statement.unsure || statement.loose || parts.length > 1 || Math.abs(value - statement.value) > 0.4)) continue;
    return [tell(
      placed, 'share', holds, `${part.number.text} / ${whole.number.text} = ${shown(value, true)}, stated ${statement.text}`,
      [part, whole], Math.abs(value - statement.value),
    )];
  }
  return [];
}

function wholeOf({ grid, row, column, number }: Match, metric: string): Match | null {
  const total = /\b(?:total|sum|overall|all|group|combined|consolidated)\b/i;
  const rows = grid.rows.filter((other) => other !== row && total.test(other.label) && (other.words.length === 0 || other.words.includes(metric)));
  const inRow = rows.length === 1 ? grid.at(rows[0]!.index, column.index) : undefined;
  if (inRow !== undefined && inRow.unit === number.unit) return { grid, row: rows[0]!, column, number: inRow, specificity: 0 };
  const columns = grid.columns.filter((other) => other !== column && total.test(other.label));
  const inColumn = columns.length === 1 ? grid.at(row.index, columns[0]!.index) : undefined;
  return inColumn !== undefined && inColumn.unit === number.unit ? { grid, row, column: columns[0]!, number: inColumn, specificity: 0 } : null;
}

/** The change between two periods of one measure, in all ways that a statement may mean it. */
function pairs(placed: PlacedStatement, index: CellIndex): { now: Match; base: Match }[] {
  const { statement } = placed;
  const rates = /margin/.test(statement.metric)
    || ['rate', 'ratio', 'margin', 'percentage', 'share', 'yield'].some((word) => statement.words.has(word));
  const values = index.matching(statement, (match) => !isDerived(match) && (rates || !isRate(match)));
  const unknown = statement.period === null && placed.several;
  const found = (unknown ? values : ofPeriod(values, statement.period)).flatMap((now) => {
    const base = earlier(now, values, statement.base);
    return base === null ? [] : [{ now, base }];
  });
  // Where nothing is said, a year is compared with the year before, and not a quarter with the last one.
  const yearly = statement.period === null ? found.filter(({ now, base }) => yearBefore(now.number.period!) === base.number.period) : [];
  const kept = yearly.length > 0 ? yearly : found;
  const best = closest(kept.map(({ now }) => now));
  return kept.filter(({ now }) => best.includes(now));
}

function change(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const signed = statement.direction === null ? statement.value : statement.direction === -1 ? -Math.abs(statement.value) : Math.abs(statement.value);
  const columns = inPeriodOrNone(index.matching(statement, (match) => isRate(match) && isChangeLine(match)), statement.period);
  const inColumn = statement.unit === '%'
    ? columns.find(({ number }) => within(number.value, signed, number.precision + statement.precision))
    : undefined;
  const found = pairs(placed, index);
  const checked = found.flatMap(({ now, base }) => {
    const rate = isRate(now);
    if (statement.unit === 'pp' || (statement.unit === '%' && rate)) {
      if (!rate) return [];
      return [{
        now, base, value: now.number.value - base.number.value, tolerance: now.number.precision + base.number.precision,
        arithmetic: `${now.number.text} − ${base.number.text}`, percent: true,
      }];
    }
    if (statement.unit === '%') {
      if (base.number.value <= 0) return [];
      return [{
        now, base, value: (now.number.value - base.number.value) / base.number.value,
        tolerance: quotientTolerance(now.number, base.number),
        arithmetic: `(${now.number.text} − ${base.number.text}) / ${base.number.text}`, percent: true,
      }];
    }
    if (statement.unit !== null && now.number.unit !== statement.unit) return [];
    if (rate || (!now.number.scaled && statement.unit === null && Math.abs(statement.value) > Math.abs(now.number.value))) return [];
    return [{
      now, base, value: now.number.value - base.number.value, tolerance: now.number.precision + base.number.precision,
      arithmetic: `${now.number.text} − ${base.number.text}`, percent: false,
    }];
  });
  const close = (value: number, tolerance: number, target: number): boolean => within(
    value, target, tolerance + statement.precision + (statement.loose ? Math.max(0.1 * Math.abs(target), 2 * statement.precision) : 0),
  );
  const scales = (percent: boolean, { number }: Match): readonly number[] => (percent || number.scaled ? [1] : [1, 1e3, 1e6]);
  const held = checked.find(({ value, tolerance, now, base, percent }) => scales(percent, now).some((scale) => close(value * scale, tolerance * scale, signed)
    || (now.number.value < 0 && close(-value * scale, tolerance * scale, signed)))
    || (statement.direction === null && close(-value, tolerance, signed))
    || (now.number.value < 0 && base.number.value < 0 && close(-value, tolerance, signed))
    || (statement.unit === '%' && isRate(now) && close(value / base.number.value, 0.005, signed)));
  if (held !== undefined) return [tell(
    placed, 'growth', true, `${held.arithmetic} = ${shown(held.value, held.percent)}, stated ${statement.text}`, [held.now, held.base], 0,
  )];
  if (inColumn !== undefined && checked.length === 0) return [tell(
    placed, 'growth', true, `stated ${statement.text}, the table has ${inColumn.number.text}`, [inColumn], 0,
  )];
  if (statement.unsure) return [];
  if (checked.length === 0) {
    const values = new Set(columns.map(({ number }) => number.value));
    if (statement.unit !== '%' || values.size !== 1 || statement.loose) return [];
    const [cell] = columns;
    const opposite = Math.sign(cell!.number.value) !== Math.sign(signed);
    return [tell(
      placed, opposite ? 'direction' : 'growth', false, `stated ${shown(signed, true)}, the table has ${cell!.number.text}`, [cell!],
      Math.abs(cell!.number.value - signed),
    )];
  }
  if (new Set(checked.map(({ value }) => value.toPrecision(4))).size > 1
    || checked.some(({ percent, now }) => !percent && !now.number.scaled && !statement.bare)) return [];
  const [one] = checked;
  if (statement.loose && Math.sign(one!.value) === Math.sign(signed)) return [];
  if (inColumn !== undefined) return [];
  const opposite = statement.direction !== null && Math.abs(one!.value) > one!.tolerance && Math.sign(one!.value) !== Math.sign(signed);
  if (Math.abs(one!.value) > 3 * Math.abs(signed) + 0.5 && one!.percent && !opposite) return [];
  return [tell(
    placed, opposite ? 'direction' : 'growth', false,
    `${one!.arithmetic} = ${shown(one!.value, one!.percent)}, stated ${opposite
      ? (statement.direction === -1 ? 'a fall of ' : 'a rise of ')
      : ''}${statement.text}`,
    [one!.now, one!.base], Math.abs(one!.value - signed),
  )];
}

function inPeriodOrNone(matches: readonly Match[], period: string | null): Match[] {
  const named = inPeriod(matches, period);
  return named.length > 0 ? named : matches.filter(({ number }) => number.period === null);
}

function direction(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  if (statement.unsure || statement.direction === null) return [];
  const found = pairs(placed, index);
  const seen = found.map(({ now, base }) => ({
    cells: [now, base], value: now.number.value - base.number.value, relative: base.number.value === 0
      ? 0
      : Math.abs((now.number.value - base.number.value) / base.number.value),
    tolerance: now.number.precision + base.number.precision, arithmetic: `${base.number.text} → ${now.number.text}`, negative: now.number.value < 0
      || base.number.value < 0,
  }));
  if (seen.length === 0 && statement.metric in profitOf && statement.base !== null) {
    const now = marginCells(placed, index, statement.period);
    const base = marginCells(placed, index, statement.base);
    if (now !== null && base !== null) {
      const [later, before] = [now, base].map(({ profit, revenue }) => profit.number.value / revenue.number.value) as [number, number];
      const told = ({ profit, revenue }: typeof now, value: number): string => `${profit.number.text} / ${revenue.number.text} = ${shown(value, true)}`;
      seen.push({
        cells: [now.profit, now.revenue, base.profit, base.revenue], value: later - before, relative: Math.abs(later - before) * 10,
        tolerance: quotientTolerance(now.profit.number, now.revenue.number) + quotientTolerance(base.profit.number, base.revenue.number), arithmetic: `${told(base, before)} → ${told(now, later)}`, negative: false,
      });
    }
  }
  const clear = seen.filter(({ value, tolerance, negative }) => Math.abs(value) > tolerance && !negative);
  if (clear.length === 0 || new Set(clear.map(({ value }) => Math.sign(value))).size > 1) return [];
  const [one] = clear;
  if (statement.direction === 0) return one!.relative > 0.1
    ? [tell(placed, 'direction', false, `${one!.arithmetic}, stated “${statement.text}”`, one!.cells, Math.abs(one!.value))]
    : [];
  const holds = Math.sign(one!.value) === statement.direction;
  return [tell(placed, 'direction', holds, `${one!.arithmetic}, stated “${statement.text}”`, one!.cells, Math.abs(one!.value))];
}

function tell({ statement, sentence, place }: PlacedStatement, check: Draft['check'], holds: boolean, arithmetic: string, matches: readonly Match[], gap: number): Draft {
  const quoted = sentence.length > 160 ? `${sentence.slice(0, 157)}…` : sentence;
  const of = matches.map(({ row, column }) => [row.label, column.label].filter((text) => text !== '').join(', '))[0]!;
  const words = {
    units: 'is not in the unit of', period: 'is not of the period of', direction: 'goes the other way than',
    growth: 'does not follow from',
  } as Partial<Record<Draft['check'], string>>;
  const statementText = holds
    ? `“${statement.text}” in “${quoted}” agrees with “${of}”.`
    : `“${statement.text}” in “${quoted}” ${words[check] ?? 'disagrees with'} “${of}”.`;
  return draft(
    check, holds, statementText, arithmetic,
    [...(place === null ? [] : [place]), ...matches.flatMap(({ grid, number }) => placesOf(grid, number))], gap,
  );
}

const caption = ({ number }: Match): string => (Math.abs(number.value) !== Math.abs(number.shown) && number.unit !== '%'
  ? `(${shown(number.value)})`
  : '');

function agrees(statement: Statement, number: NumberCell): boolean {
  const left = Math.abs(statement.value);
  // Where a table is in thousands, the prose around it often is too, without saying so.
  if (statement.bare
    && number.scaled
    && statement.unit !== '%'
    && within(left, Math.abs(number.shown), statement.precision + number.shownPrecision)) return currencyAgrees(statement, number);
  const readings = number.unit === null && statement.unit === '%'
    ? [[number.shown, number.shownPrecision], [number.shown / 100, number.shownPrecision / 100]]
    : [[number.value, number.precision]];
  // A number without a scale in a table that states none may be meant in the sentence's.
  if (!number.scaled
    && number.unit !== '%'
    && statement.unit !== '%') for (const scale of [1e3, 1e6, 1e9]) if (Math.abs(statement.value) >= scale) readings.push([number.shown * scale, number.shownPrecision * scale]);
  return readings.some(([value, precision]) => {
    const right = Math.abs(value!);
    if (within(left, right, statement.precision + precision!)) return currencyAgrees(statement, number);
    return statement.loose && Math.abs(left - right) <= Math.max(0.06 * left, 2 * statement.precision);
  });
}

function currencyAgrees(statement: Statement, number: NumberCell): boolean {
  const money = /^[A-Z]{3}$/;
  return !(statement.unit !== null
    && number.unit !== null
    && money.test(statement.unit)
    && money.test(number.unit)
    && statement.unit !== number.unit);
}

/** The factor of ten that is between two numbers with the same digits; null when there is none. */
function powerBetween(statement: Statement, number: NumberCell): number | null {
  if (statement.value === 0 || number.value === 0 || statement.unit === '%' || (!number.scaled && number.unit === null)) return null;
  for (const power of [1e3, 1e-3, 1e6, 1e-6]) {
    if (within(Math.abs(statement.value), Math.abs(number.value) * power, (statement.precision + number.precision * power))
      && (Math.abs(statement.value) > 150 * statement.precision
        || (statement.unit !== null && Math.abs(statement.value) > 20 * statement.precision))) return power;
  }
  return within(Math.abs(statement.value), Math.abs(number.value), statement.precision + number.precision) && !currencyAgrees(statement, number)
    ? 1
    : null;
}

/** Money against money, people against people: what is not known may be either. */
function commensurate(statement: Statement, number: NumberCell): boolean {
  return statement.unit === '%' || number.scaled || Math.abs(statement.value) < 1e6 || number.shown === number.value;
}

function countsAgree(statement: Statement, number: NumberCell): boolean {
  const money = /^[A-Z]{3}$/;
  return !(statement.unit !== null && money.test(statement.unit) && number.unit !== null && !money.test(number.unit));
}
