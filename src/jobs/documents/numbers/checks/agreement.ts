import { isWithin } from './draft-finding.ts';
import type { NumberCell } from '../tables/grid.ts';
import type { Statement } from '../statements/read-statements.ts';

export function agreesWith(statement: Statement, number: NumberCell): boolean {
  const left = Math.abs(statement.value);
  // Where a table is in thousands, the prose around it often is too, without saying so.
  if (
    statement.bare &&
    number.scaled &&
    statement.unit !== '%' &&
    isWithin(left, Math.abs(number.shown), statement.precision + number.shownPrecision)
  )
    return sameCurrency(statement, number);
  const readings =
    number.unit === null && statement.unit === '%'
      ? [
          [number.shown, number.shownPrecision],
          [number.shown / 100, number.shownPrecision / 100],
        ]
      : [[number.value, number.precision]];
  // A number without a scale in a table that states none may be meant in the sentence's.
  if (!number.scaled && number.unit !== '%' && statement.unit !== '%')
    for (const scale of [1e3, 1e6, 1e9])
      if (Math.abs(statement.value) >= scale) readings.push([number.shown * scale, number.shownPrecision * scale]);
  return readings.some(([value, precision]) => {
    const right = Math.abs(value!);
    if (isWithin(left, right, statement.precision + precision!)) return sameCurrency(statement, number);
    return statement.loose && Math.abs(left - right) <= Math.max(0.06 * left, 2 * statement.precision);
  });
}

function sameCurrency(statement: Statement, number: NumberCell): boolean {
  const money = /^[A-Z]{3}$/;
  return !(
    statement.unit !== null &&
    number.unit !== null &&
    money.test(statement.unit) &&
    money.test(number.unit) &&
    statement.unit !== number.unit
  );
}

/** The factor of ten that is between two numbers with the same digits; null when there is none. */
export function findPowerBetween(statement: Statement, number: NumberCell): number | null {
  if (statement.value === 0 || number.value === 0 || statement.unit === '%' || (!number.scaled && number.unit === null))
    return null;
  // Lakh and crore are other steps than thousands.
  for (const power of [1e3, 1e-3, 1e6, 1e-6, ...(number.unit === 'INR' ? [10, 0.1, 100, 0.01, 1e5, 1e-5] : [])]) {
    if (
      isWithin(
        Math.abs(statement.value),
        Math.abs(number.value) * power,
        statement.precision + number.precision * power,
      ) &&
      (Math.abs(statement.value) > 150 * statement.precision ||
        (statement.unit !== null && Math.abs(statement.value) > 20 * statement.precision))
    )
      return power;
  }
  return isWithin(Math.abs(statement.value), Math.abs(number.value), statement.precision + number.precision) &&
    !sameCurrency(statement, number)
    ? 1
    : null;
}

/** Money against money, people against people: what is not known may be either. */
export function isCommensurate(statement: Statement, number: NumberCell): boolean {
  return statement.unit === '%' || number.scaled || Math.abs(statement.value) < 1e6 || number.shown === number.value;
}

export function sameKindOfCount(statement: Statement, number: NumberCell): boolean {
  const money = /^[A-Z]{3}$/;
  return !(statement.unit !== null && money.test(statement.unit) && number.unit !== null && !money.test(number.unit));
}
