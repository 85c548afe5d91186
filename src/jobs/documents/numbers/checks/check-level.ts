import { agreesWith, isCommensurate, sameKindOfCount, findPowerBetween } from './agreement.ts';
import { formatFigure, formatValue, isWithin, type Draft } from './draft-finding.ts';
import { checkMargin } from './check-margin.ts';
import {
  selectClosest,
  selectClosestInPeriod,
  isChangeLine,
  isDerived,
  isRate,
  isWhole,
  type CellIndex,
  type Match,
} from './match-cells.ts';
import { headlineMetrics } from '../values/find-measures.ts';
import { draftStatement, type PlacedStatement } from './placed-statement.ts';

/** What a measure is said to come to, against the cell that shows it. */
export function checkLevel(placed: PlacedStatement, index: CellIndex): Draft[] {
  const { statement } = placed;
  const rate = statement.unit === '%';
  const all = index.matching(
    statement,
    (match) =>
      isRate(match) === rate &&
      !isWhole(match) &&
      !isChangeLine(match) &&
      (rate || !isDerived(match)) &&
      sameKindOfCount(statement, match.number),
  );
  if (statement.period === 'previous') return [];
  if (
    statement.period === null &&
    placed.several &&
    all.length > 0 &&
    !all.some(({ number }) => agreesWith(statement, number))
  )
    return [];
  const dated = selectClosestInPeriod(all, statement.period);
  // A table of budget and actual has one period, and seldom names it.
  const now =
    dated.length === 0 && statement.planned !== null && all.every(({ number }) => number.period === null)
      ? selectClosest(all)
      : dated;
  if (now.length === 0) return rate ? checkMargin(placed, index) : checkOtherPeriods(placed, all);
  const held = now.find((match) => agreesWith(statement, match.number));
  if (held !== undefined)
    return [
      draftStatement(placed, 'statement-against-table', true, `${statement.text} = ${held.number.text}`, [held], 0),
    ];
  const [first] = now;
  const sameValue =
    new Set(now.map(({ number }) => number.value)).size === 1 ||
    now.every(({ grid }) => grid === first!.grid && now.length === 1);
  const factor = now.map((match) => findPowerBetween(statement, match.number)).find((power) => power !== null);
  if (factor !== undefined)
    return statement.unsure
      ? []
      : [
          draftStatement(
            placed,
            'units',
            false,
            factor === 1
              ? `${statement.text} is in ${statement.unit}, ${first!.number.text} in ${first!.number.unit}`
              : `${statement.text} against ${first!.number.text} ${formatScaled(first!)}: a factor of ${factor < 1 ? `1/${Math.round(1 / factor)}` : factor}`,
            [first!],
            Math.abs(statement.value - first!.number.value),
          ),
        ];
  const swapped = all.find(
    (match) => !now.includes(match) && match.grid === first!.grid && agreesWith(statement, match.number),
  );
  if (statement.unsure || statement.loose || !sameValue) return [];
  if (
    swapped !== undefined &&
    statement.period !== null &&
    Math.abs(statement.value) > (placed.several ? 100 : 15) * statement.precision
  )
    return [
      draftStatement(
        placed,
        'period',
        false,
        `${statement.text} is the value of ${swapped.number.period}; ${first!.number.period} has ${first!.number.text}`,
        [first!, swapped],
        Math.abs(Math.abs(statement.value) - Math.abs(first!.number.value)),
      ),
    ];
  if (swapped !== undefined) return [];
  const quotient = Math.abs(statement.value / first!.number.value);
  const wide = statement.period !== null && statement.main && headlineMetrics.has(statement.metric) ? 10 : 3.3;
  if (!(quotient > 1 / wide && quotient < wide) || !isCommensurate(statement, first!.number)) return [];
  return [
    draftStatement(
      placed,
      'statement-against-table',
      false,
      `stated ${statement.text}, the table has ${formatFigure(first!.number)} ${formatScaled(first!)}`.trim(),
      now.slice(0, 2),
      Math.abs(Math.abs(statement.value) - Math.abs(first!.number.value)),
    ),
  ];
}

/** The very value, to the digit, but of another period than the one that is named, which the table does not have. */
function checkOtherPeriods(placed: PlacedStatement, all: readonly Match[]): Draft[] {
  const { statement } = placed;
  const { period } = statement;
  if (
    period === null ||
    statement.unsure ||
    statement.loose ||
    Math.abs(statement.value) < 200 * statement.precision ||
    !/^(?:FY\d{4}|[QH]\d \d{4})$/.test(period)
  )
    return [];
  const same = selectClosest(all).filter(
    ({ number }) =>
      number.period !== null &&
      number.period.slice(0, 1) === period.slice(0, 1) &&
      isWithin(Math.abs(number.value), Math.abs(statement.value), number.precision),
  );
  return same.length === 1
    ? [
        draftStatement(
          placed,
          'period',
          false,
          `${statement.text} is the value of ${same[0]!.number.period}, stated for ${period}`,
          same,
          0,
        ),
      ]
    : [];
}

const formatScaled = ({ number }: Match): string =>
  Math.abs(number.value) !== Math.abs(number.shown) && number.unit !== '%' ? `(${formatValue(number.value)})` : '';
