import { formatFigure, formatValue } from '../checks/draft-finding.ts';
import type { Fact } from './typed-table.ts';

/** A value that is computed from cells, or stated in words. */
export type Expression =
  | { op: 'cell'; fact: Fact }
  | { op: 'stated'; value: number; precision: number; text: string; unit: 'amount' | '%' | 'pp' | 'count' }
  | { op: 'sum' | 'average'; of: readonly Expression[] }
  | { op: 'difference' | 'ratio' | 'growth'; left: Expression; right: Expression }
  | { op: 'rank'; of: Expression; among: readonly Expression[]; from: 'highest' | 'lowest' }
  | { op: 'count'; of: readonly Proposition[] };

/** What a statement says of values: true, false, or open where rounding leaves it so. */
export type Proposition =
  | { op: '=' | '>' | '<' | '≥' | '≤'; left: Expression; right: Expression }
  | { op: 'every'; of: readonly Proposition[] };

export interface MeasuredValue {
  value: number;
  precision: number;
}

export function computeExpression(expression: Expression): MeasuredValue {
  switch (expression.op) {
    case 'cell':
      return expression.fact.number;
    case 'stated':
      return expression;
    case 'sum':
      return addUp(expression.of);
    case 'average': {
      const { value, precision } = addUp(expression.of);
      return { value: value / expression.of.length, precision: precision / expression.of.length };
    }
    case 'difference': {
      const [left, right] = [computeExpression(expression.left), computeExpression(expression.right)];
      return { value: left.value - right.value, precision: left.precision + right.precision };
    }
    case 'ratio':
      return divide(computeExpression(expression.left), computeExpression(expression.right));
    case 'growth': {
      const quotient = divide(computeExpression(expression.left), computeExpression(expression.right));
      return { value: quotient.value - 1, precision: quotient.precision };
    }
    case 'rank': {
      const own = computeExpression(expression.of).value;
      const others = expression.among.map((one) => computeExpression(one).value);
      const before = others.filter((other) => (expression.from === 'highest' ? other > own : other < own));
      return { value: 1 + new Set(before).size, precision: 0 };
    }
    case 'count': {
      const judged = expression.of.map(judge);
      const open = judged.filter((one) => one === null).length;
      return { value: judged.filter((one) => one === true).length + open / 2, precision: open / 2 };
    }
  }
}

function addUp(of: readonly Expression[]): MeasuredValue {
  return of
    .map(computeExpression)
    .reduce((sum, one) => ({ value: sum.value + one.value, precision: sum.precision + one.precision }), {
      value: 0,
      precision: 0,
    });
}

function divide(top: MeasuredValue, bottom: MeasuredValue): MeasuredValue {
  const value = top.value / bottom.value;
  const room = Math.max(Math.abs(bottom.value) - bottom.precision, Number.EPSILON);
  return { value, precision: (top.precision + Math.abs(value) * bottom.precision) / room };
}

/** Null where rounding leaves it open, or nothing can be computed. */
export function judge(proposition: Proposition): boolean | null {
  if (proposition.op === 'every') {
    const judged = proposition.of.map(judge);
    return judged.includes(false) ? false : judged.includes(null) || judged.length === 0 ? null : true;
  }
  const [left, right] = [computeExpression(proposition.left), computeExpression(proposition.right)];
  if (!Number.isFinite(left.value) || !Number.isFinite(right.value)) return null;
  const room = left.precision + right.precision + 1e-9 * Math.max(Math.abs(left.value), Math.abs(right.value), 1e-6);
  const gap = left.value - right.value;
  switch (proposition.op) {
    case '=':
      return Math.abs(gap) <= room;
    case '>':
      return Math.abs(gap) <= room ? (left.precision + right.precision === 0 ? false : null) : gap > 0;
    case '<':
      return Math.abs(gap) <= room ? (left.precision + right.precision === 0 ? false : null) : gap < 0;
    case '≥':
      return gap >= -room;
    case '≤':
      return gap <= room;
  }
}

/** By how much a statement is off, in base units; 0 where there is no amount to it. */
export function measureGap(proposition: Proposition): number {
  if (proposition.op !== '=') return 0;
  const gap = Math.abs(computeExpression(proposition.left).value - computeExpression(proposition.right).value);
  return Number.isFinite(gap) ? gap : 0;
}

/** The cells that a statement was computed from, each once. */
export function listFacts(part: Proposition | Expression): Fact[] {
  return [...new Set(listParts(part).flatMap((one) => (one.op === 'cell' ? [one.fact] : listFacts(one))))];
}

function listParts(part: Proposition | Expression): readonly (Proposition | Expression)[] {
  if (part.op === 'cell') return [part];
  if (part.op === 'rank') return [part.of, ...part.among];
  if ('left' in part) return [part.left, part.right];
  return 'of' in part ? part.of : [];
}

/** As a person reads it: `ratio(Revenue[Europe, FY2024], Revenue[Total, FY2024]) = 61 %`. */
export function formatProgram(part: Proposition | Expression): string {
  if (part.op === 'cell') return part.fact.name;
  if (part.op === 'stated') return part.text;
  if (part.op === 'rank') return `rank(${formatProgram(part.of)}, ${part.from} of ${formatList(part.among)})`;
  if ('of' in part) return `${part.op}(${formatList(part.of)})`;
  const [left, right] = [formatProgram(part.left), formatProgram(part.right)];
  return /^[a-z]/.test(part.op) ? `${part.op}(${left}, ${right})` : `${left} ${part.op} ${right}`;
}

const shownParts = 8;

function formatList(parts: readonly (Proposition | Expression)[]): string {
  const more = parts.length > shownParts ? `, … ${parts.length - shownParts} more` : '';
  return parts.slice(0, shownParts).map(formatProgram).join(', ') + more;
}

/** The same in digits: `2392 / 4600 = 52 %, stated 61 %`. */
export function formatArithmetic(proposition: Proposition): string {
  if (proposition.op === 'every') {
    const failed = proposition.of.filter((one) => judge(one) === false);
    const told = (failed.length > 0 ? failed : proposition.of).slice(0, shownParts);
    return `${failed.length > 0 ? 'not so: ' : ''}${told.map(formatArithmetic).join('; ')}`;
  }
  const { op, left, right } = proposition;
  const percent = isShare(right) || left.op === 'growth';
  if (right.op === 'stated') {
    const computed = formatSteps(left);
    const value = left.op === 'cell' ? '' : ` = ${formatResult(left, percent, right)}`;
    return `${computed}${value}, stated ${op === '=' ? '' : `${op} `}${right.text}`;
  }
  return `${formatSteps(left)}${formatOwn(left)} ${holdsSign(proposition)} ${formatSteps(right)}${formatOwn(right)}`;
}

function holdsSign(proposition: Exclude<Proposition, { op: 'every' }>): string {
  if (judge(proposition) !== false) return proposition.op;
  return { '=': '≠', '>': '≤', '<': '≥', '≥': '<', '≤': '>' }[proposition.op];
}

const formatOwn = (expression: Expression): string =>
  expression.op === 'cell' ? '' : ` = ${formatResult(expression, expression.op === 'growth')}`;

function isShare(expression: Expression): boolean {
  return expression.op === 'stated' && expression.unit === '%';
}

function formatResult(expression: Expression, percent: boolean, stated?: Expression): string {
  const { value } = computeExpression(expression);
  if (stated?.op === 'stated' && stated.unit === 'pp') return `${formatValue(value * 100)} percentage points`;
  const [first] = listFacts(expression);
  const scale =
    first === undefined || percent || ['ratio', 'rank', 'count', 'growth'].includes(expression.op)
      ? 1
      : first.number.shown === 0
        ? 1
        : first.number.value / first.number.shown;
  return formatValue(value / (Math.abs(scale) < 1 ? 1 : scale), percent || first?.number.unit === '%');
}

function formatSteps(expression: Expression): string {
  switch (expression.op) {
    case 'cell':
      return formatFigure(expression.fact.number);
    case 'stated':
      return expression.text;
    case 'sum':
      return expression.of.map(formatSteps).join(' + ');
    case 'average':
      return `(${expression.of.map(formatSteps).join(' + ')}) / ${expression.of.length}`;
    case 'difference':
      return `${formatSteps(expression.left)} − ${formatSteps(expression.right)}`;
    case 'ratio':
      return `${wrap(expression.left)} / ${wrap(expression.right)}`;
    case 'growth':
      return `(${formatSteps(expression.left)} − ${formatSteps(expression.right)}) / ${wrap(expression.right)}`;
    case 'rank':
      return `${formatSteps(expression.of)} among ${expression.among.slice(0, shownParts).map(formatSteps).join(', ')}`;
    case 'count':
      return `${expression.of.filter((one) => judge(one) === true).length} of ${expression.of.length}: ${expression.of
        .slice(0, shownParts)
        .map(formatArithmetic)
        .join('; ')}`;
  }
}

function wrap(expression: Expression): string {
  return expression.op === 'cell' || expression.op === 'stated'
    ? formatSteps(expression)
    : `(${formatSteps(expression)})`;
}
