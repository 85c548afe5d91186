import type { PlacedStatement } from './check-statements.ts';
import { headlineMetrics } from './measure-words.ts';
import { draft, shown, within, type Draft } from './draft.ts';

/** The same measure of the same period, stated twice; and a growth rate against the two values in its own sentence. */
export function checkTexts(placed: readonly PlacedStatement[]): Draft[] {
  return [...twice(placed), ...inOneSentence(placed)];
}

function twice(placed: readonly PlacedStatement[]): Draft[] {
  const drafts: Draft[] = [];
  const seen = new Map<string, PlacedStatement[]>();
  for (const one of placed) {
    const { statement } = one;
    if (statement.role !== 'level'
      || statement.unsure
      || statement.modifiers.includes('segment')
      || !statement.main
      || (one.several && statement.unit === '%')
      || statement.period === null
      || !headlineMetrics.has(statement.metric)
      || Math.abs(statement.value) < 150 * statement.precision
      || statement.period === 'previous'
      || one.place === null) continue;
    const kind = statement.unit === '%' ? '%' : 'amount';
    const key = [statement.metric, statement.modifiers.toSorted().join(' '), statement.context.join(' '), statement.period ?? '', kind].join('|');
    const others = seen.get(key) ?? [];
    const contrary = others.find((other) => other.sentence !== one.sentence && conflict(one, other));
    if (contrary !== undefined) drafts.push(told(one, contrary));
    seen.set(key, [...others, one]);
  }
  return drafts;
}

function conflict({ statement: left }: PlacedStatement, { statement: right }: PlacedStatement): boolean {
  if (left.loose || right.loose) return false;
  if (left.unit !== right.unit && (left.unit === null || right.unit === null)) return false;
  const [a, b] = [Math.abs(left.value), Math.abs(right.value)];
  if (within(a, b, left.precision + right.precision)) return left.unit !== right.unit;
  const quotient = a / b;
  return (quotient > 0.5 && quotient < 2) || [1e3, 1e-3, 1e6, 1e-6].some((power) => within(a, b * power, left.precision + right.precision * power));
}

function told(one: PlacedStatement, other: PlacedStatement): Draft {
  const power = [1e3, 1e-3, 1e6, 1e-6].some((factor) => within(
    Math.abs(one.statement.value), Math.abs(other.statement.value) * factor, one.statement.precision + other.statement.precision * factor,
  ));
  return draft(
    power || one.statement.unit !== other.statement.unit ? 'units' : 'text-against-text', false,
    `The text states ${one.statement.text} and ${other.statement.text} for the same measure.`,
    `${one.statement.text} ≠ ${other.statement.text}`, [one.place!, other.place!], Math.abs(one.statement.value - other.statement.value),
  );
}

/** "Revenue grew 15 % from $4.0 million to $4.6 million": rate and direction against the two values beside them. */
function inOneSentence(placed: readonly PlacedStatement[]): Draft[] {
  const sentences = Map.groupBy(placed, ({ sentence, place, statement }) => `${place?.block}:${(place?.start ?? 0) - statement.start}:${sentence}`);
  return [...sentences.values()].flatMap((together) => together.flatMap((change) => againstValues(change, together)));
}

function againstValues({ statement, place }: PlacedStatement, together: readonly PlacedStatement[]): Draft[] {
  const rate = statement.role === 'change' && statement.unit === '%';
  if (!rate && (statement.role !== 'direction' || statement.unsure || !statement.direction)) return [];
  const levels = together.filter((other) => other.statement.role === 'level' && other.statement.metric === statement.metric
    && (other.statement.unit !== '%' || (!rate && /margin/.test(statement.metric))));
  const from = (one: PlacedStatement): boolean =>
    /\b(?:from|compared (?:to|with)|versus|than|against|up on)\s+(?:[a-z]+\s)?$/i.test(one.sentence.slice(Math.max(0, one.statement.start - 24), one.statement.start));
  const base = levels.find(from);
  const now = levels.find((one) => one !== base);
  if (levels.length !== 2 || base === undefined || now === undefined || base.statement.value <= 0 || base.statement.unit !== now.statement.unit) return [];
  const places = [place, now.place, base.place].filter((one) => one !== null);
  const value = (now.statement.value - base.statement.value) / base.statement.value;
  const rounding = (now.statement.precision + Math.abs(now.statement.value / base.statement.value) * base.statement.precision) / base.statement.value;
  if (!rate) {
    if (Math.abs(value) <= rounding) return [];
    const holds = Math.sign(value) === statement.direction;
    const told = `“${statement.text}” ${holds ? 'agrees' : 'does not agree'} with the values in its own sentence.`;
    return [draft('direction', holds, told, `${base.statement.text} → ${now.statement.text}, stated “${statement.text}”`, places, Math.abs(value))];
  }
  const signed = (statement.direction ?? (Math.sign(value) || 1)) * Math.abs(statement.value);
  const holds = within(value, signed, rounding + statement.precision + (statement.loose ? 0.02 : 0));
  if (!holds && (statement.loose || statement.unsure)) return [];
  return [draft(
    holds || Math.sign(value) === Math.sign(signed) ? 'growth' : 'direction', holds,
    `“${statement.text}” ${holds ? 'follows' : 'does not follow'} from the values in its own sentence.`,
    `(${now.statement.text} − ${base.statement.text}) / ${base.statement.text} = ${shown(value, true)}, stated ${statement.text}`, places, Math.abs(value - signed),
  )];
}
