import type { PlacedSentence } from './check-figures.ts';
import { draftFinding, isWithin, type Draft, listPlaces } from './draft-finding.ts';
import { scanPeriods } from '../values/scan-periods.ts';
import type { ScannedNumber } from '../values/scan-numbers.ts';
import { scanMeantNumbers } from '../statements/qualify-numbers.ts';
import type { Grid, GridLine, NumberCell } from '../tables/grid.ts';

interface Told {
  sentence: PlacedSentence;
  numbers: readonly string[];
}

/** So many words and other numbers must be the same, before a sentence is the same one told twice. */
const leastWords = 12;
const leastNumbers = 3;
const digits = /\d[\d,.]*\d|\d/g;

/** A passage that stands in a report twice, word for word, but for one amount. */
export function checkRepeats(sentences: readonly PlacedSentence[]): Draft[] {
  const seen = new Map<string, Told[]>();
  for (const sentence of sentences) {
    const numbers = sentence.text.match(digits) ?? [];
    if (numbers.length <= leastNumbers) continue;
    const words =
      sentence.text
        .replace(digits, '#')
        .toLowerCase()
        .match(/[\p{L}#$€£¥%]+/gu) ?? [];
    if (words.length >= leastWords) {
      const key = words.join(' ');
      const told = seen.get(key);
      if (told) told.push({ sentence, numbers });
      else seen.set(key, [{ sentence, numbers }]);
    }
  }
  return [...seen.values()].flatMap((told) => {
    const [one, other] = told;
    // What is said in one form more than twice is said of several things.
    if (told.length !== 2 || one === undefined || other === undefined) return [];
    const differ = one.numbers.flatMap((number, at) => (number === other.numbers[at] ? [] : [at]));
    const [at] = differ;
    if (at === undefined) return [];
    const [left, right] = [readAmountAt(one, at), readAmountAt(other, at)];
    if (differ.length > 1 || left === null || right === null || left.unit !== right.unit || left.unit === null)
      return [];
    const factor = (number: ScannedNumber): number =>
      number.unit === '%' || number.unit === 'pp' ? 1 : (number.scale ?? 1);
    const [value, contrary] = [left.value * factor(left), right.value * factor(right)];
    const places = [one.sentence.placeOf(left), other.sentence.placeOf(right)].filter((place) => place !== null);
    if (isWithin(value, contrary, left.precision * factor(left) + right.precision * factor(right))) return [];
    // A long document has one form of words for each of several notes, plans or leases, one after the other.
    if (one.sentence.several && areNear(places[0]?.block, places[1]?.block)) return [];
    return [
      draftFinding(
        'text-against-text',
        false,
        `The same sentence states ${left.text} in one place and ${right.text} in another.`,
        `${left.text} ≠ ${right.text}`,
        places,
        Math.abs(value - contrary),
      ),
    ];
  });
}

const farBlocks = 40;

function areNear(one = '', other = ''): boolean {
  const [left, right] = [one, other].map((block) => Number(/#b(\d+)$/.exec(block)?.[1] ?? 0));
  return Math.abs(left! - right!) < farBlocks;
}

/** The amount whose digits are the n-th of a sentence; null where they are a year, a date or a note's. */
function readAmountAt({ sentence: { text, mark } }: Told, at: number): ScannedNumber | null {
  const { index } = [...text.matchAll(digits)][at]!;
  return (
    scanMeantNumbers(text, mark, scanPeriods(text)).find(({ start, end }) => start <= index && end > index) ?? null
  );
}

interface Seen {
  grid: Grid;
  row: GridLine;
  number: NumberCell;
}

const mostTables = 64;

/** Tables that share values by name and period show the same thing: where one of them differs, one is wrong. */
export function checkTables(grids: readonly Grid[], enough: number): Draft[] {
  const seen = new Map<string, Seen[]>();
  const pairs: { one: Seen; other: Seen; agrees: boolean }[] = [];
  for (const grid of grids) {
    const named = new Map<string, Seen | null>();
    for (const { row, column, number } of grid.cells) {
      const key = formatCellKey(grid.rows[row]!, grid.columns[column]!, number);
      // What a table shows twice under one name, it tells apart in a way that was not read.
      if (key !== null) named.set(key, named.has(key) ? null : { grid, row: grid.rows[row]!, number });
    }
    for (const [key, one] of named) {
      if (one === null) continue;
      const others = seen.get(key) ?? [];
      // Of a name that many tables share, those that were seen last.
      for (const other of others.slice(-mostTables))
        pairs.push({
          one,
          other,
          agrees: isWithin(one.number.value, other.number.value, one.number.precision + other.number.precision),
        });
      if (others.push(one) === 1) seen.set(key, others);
    }
  }
  return [
    ...Map.groupBy(
      pairs,
      ({ one, other }) => `${one.grid.id}:${one.grid.rows[0]!.label}|${other.grid.id}:${other.grid.rows[0]!.label}`,
    ).values(),
  ].flatMap((together) => {
    const differ = together.filter(({ agrees }) => !agrees);
    const held = together.filter(({ agrees }) => agrees);
    if (differ.length !== 1 || held.length < enough) return [];
    const [{ one, other }] = differ as [(typeof pairs)[number]];
    const inRow = held.some((pair) => pair.one.row === one.row);
    const inPeriod = held.some((pair) => pair.one.number.period === one.number.period);
    const quotient = one.number.value / other.number.value;
    if (!inRow || !inPeriod || !(quotient > 0.1 && quotient < 10)) return [];
    // A note to one of them says in what it differs.
    if (readMark(one.row.label) !== readMark(other.row.label) || one.number.basis !== other.number.basis) return [];
    const name = [one.row.label, one.number.period].join(', ');
    return [
      draftFinding(
        'text-against-text',
        false,
        `“${name}” is ${one.number.text} in one table and ${other.number.text} in another.`,
        `${one.number.text} ≠ ${other.number.text}`,
        [...listPlaces(one.grid, one.number), ...listPlaces(other.grid, other.number)],
        Math.abs(one.number.value - other.number.value),
      ),
    ];
  });
}

const readMark = (label: string): string => /\(\w{1,2}\)\s*$|(?<![*†‡¹²³])[*†‡¹²³]+\s*$/.exec(label.trim())?.[0] ?? '';

function formatCellKey(
  row: GridLine,
  column: GridLine,
  { unit, period, dash, shown, shownPrecision }: NumberCell,
): string | null {
  if (
    row.words.length === 0 ||
    period === null ||
    dash ||
    unit === '%' ||
    unit === 'pp' ||
    Math.abs(shown) < 50 * shownPrecision
  )
    return null;
  return [row.words.join(' '), column.words.join(' '), period, unit].join('|');
}
