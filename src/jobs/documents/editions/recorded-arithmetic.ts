import { findMoves, scanWordedNumbers } from '../numbers/statements/find-roles.ts';
import { scanNumbers, type DecimalMark } from '../numbers/values/scan-numbers.ts';
import type { NumberFinding } from '../numbers/finding.ts';

/*
 * The arithmetic of a number finding is a line for people. It is read back here, and computed again from its figures.
 */

/** What a line says: figures that stand in the documents, and whether what it computes agrees with what is stated. */
export interface RecordedArithmetic {
  /** Figures that must stand where the finding points to. */
  figures: readonly string[];
  /** Whether every sum, difference and quotient in it comes to what the line says. */
  isRight: boolean;
  /** How far what it computes is from what is stated; null where it compares words, or a number in words. */
  distance: Distance | null;
  /** It tells of a contradiction, and of nothing else. */
  isContrary: boolean;
}

/** To the digit; as near as rounding and "about" allow; or neither. */
type Distance = 'same' | 'near' | 'apart';

/** None that a reader wrote is longer; every split of a long line would be tried. */
export const longestLine = 4_000;

/** Reads the line back; null where it is none that a reader ever wrote. */
export function readArithmetic(line: string): RecordedArithmetic | null {
  if (line.length > longestLine) return null;
  const contrary = /^(.+) ≠ (.+)$/u.exec(line);
  if (contrary) return { ...compareTwo(contrary[1]!, contrary[2]!), isContrary: true };
  const looked = /^stated (.+), the table has (.+?)(?: \([^()]*\))?$/u.exec(line);
  if (looked) return compareTwo(looked[1]!, looked[2]!);
  const moved = /^(.+) → (.+), stated “(.+)”$/u.exec(line);
  if (moved) return readMove(moved[1]!, moved[2]!, moved[3]!);
  const computed = /^(.+ = .+), stated (a fall of |a rise of )?(.+)$/u.exec(line);
  if (computed) return readWays(computed[1]!.split('; '), computed[3]!, computed[2]);
  const scaled = /^(.+) against (.+?)(?: \(([^()]+)\))?: a factor of (.+)$/u.exec(line);
  if (scaled) return readFactor(scaled[1]!, scaled[2]!, scaled[3] ?? scaled[2]!, scaled[4]!);
  const worded =
    /^(.+) is the value of .+; .+ has (.+)$/u.exec(line) ??
    /^(.+) is the value of .+, stated for .+$/u.exec(line) ??
    /^(.+) is in \S+, (.+) in \S+$/u.exec(line);
  if (worded) return { figures: worded.slice(1), isRight: true, distance: null, isContrary: true };
  const same = /^(.+) = (.+)$/u.exec(line);
  return same && compareTwo(same[1]!, same[2]!);
}

/** So much more than rounding a reader let pass where a text says "about". */
const looseness = 0.1;
/** What a table is counted in is often said once, above it. */
const scales = [1, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9, 100, 0.01];

/** A value, and by how much it may be off. */
interface Rounded {
  value: number;
  slack: number;
}

function compareTwo(one: string, other: string): RecordedArithmetic {
  const [left, right] = [readFigure(one), readFigure(other)];
  return { figures: [one, other], isRight: true, distance: measure(left, right), isContrary: false };
}

/** "$4.6 billion against 4,600 (4,600,000): a factor of 1000". */
function readFactor(stated: string, shown: string, meant: string, factor: string): RecordedArithmetic | null {
  const [left, right] = [readFigure(stated), readFigure(meant)];
  const times = factor.startsWith('1/') ? 1 / Number(factor.slice(2)) : Number(factor);
  if (left === null || right === null || !scales.includes(Number(times.toPrecision(6)))) return null;
  const isRight = Math.abs(left.value / right.value / times - 1) < looseness;
  return { figures: [stated, shown], isRight, distance: null, isContrary: true };
}

/** "4.0 → 4.6, stated “grew”": whether it went that way. Each side may be a quotient with its value. */
function readMove(before: string, after: string, word: string): RecordedArithmetic | null {
  const sides = [before, after].map((side) => readWay(side.includes(' = ') ? side : `${side} = ${side}`));
  const [from, to] = sides;
  if (!from || !to) return null;
  const figures = [...from.figures, ...to.figures, word];
  const stated = findMoves(word)[0]?.direction;
  const went = Math.sign(to.result.value - from.result.value);
  return {
    figures,
    isRight: from.isRight && to.isRight,
    distance: stated === undefined ? null : went === stated ? 'same' : 'apart',
    isContrary: false,
  };
}

/** One or several ways to compute what is stated: it agrees where one of them does. */
function readWays(texts: readonly string[], stated: string, turn: string | undefined): RecordedArithmetic | null {
  const ways = texts.map(readWay);
  if (!ways.every((way) => way !== null)) return null;
  const target = readFigure(stated);
  const distances = ways.flatMap(({ result, relative }) => [
    measure(result, target),
    ...(relative && measure(relative, target) !== 'apart' ? ['near' as const] : []),
  ]);
  const goesAgainst = ways.every(({ result }) => Math.sign(result.value) === (turn === 'a rise of ' ? -1 : 1));
  const nearest = (['same', 'near', 'apart'] as const).find((distance) => distances.includes(distance)) ?? null;
  return {
    figures: [...ways.flatMap(({ figures }) => figures), stated],
    isRight: ways.every(({ isRight }) => isRight),
    distance: turn === undefined ? nearest : goesAgainst ? 'apart' : 'same',
    isContrary: turn !== undefined,
  };
}

interface Way {
  figures: readonly string[];
  /** As the line says it comes out. */
  result: Rounded;
  /** Of a difference: as a part of what it is taken from. */
  relative: Rounded | null;
  isRight: boolean;
}

function readWay(text: string): Way | null {
  const at = text.lastIndexOf(' = ');
  const [expression, outcome] = [text.slice(0, at), text.slice(at + 3)];
  const shown = readFigure(outcome, '.');
  if (at < 0 || shown === null) return null;
  const figures: string[] = [];
  listFigures(expression, figures);
  for (const mark of ['.', ','] as const) {
    const again = compute(expression, mark);
    if (again === null) continue;
    // Shown to four digits or so, whatever it came to.
    const slack = again.slack + Math.max(0.005 * (outcome.includes('%') ? 0.01 : 1), Math.abs(shown.value) * 5e-4);
    if (!scales.some((scale) => Math.abs(again.value - shown.value * scale) <= slack * Math.max(1, scale))) continue;
    const [, base] = splitAt(expression, [' − ']);
    const from = base === undefined ? null : compute(base.text, mark);
    return {
      figures,
      result: { value: shown.value, slack },
      relative: from === null || from.value === 0 ? null : { value: again.value / from.value, slack: 0.005 },
      isRight: true,
    };
  }
  return { figures, result: shown, relative: null, isRight: false };
}

interface Term {
  text: string;
  sign: string;
}

/** The parts of an expression between operators that stand in no bracket. */
function splitAt(text: string, operators: readonly string[]): Term[] {
  const terms: Term[] = [];
  let depth = 0;
  let from = 0;
  let sign = '';
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    const operator = depth === 0 ? operators.find((one) => text.startsWith(one, at)) : undefined;
    if (operator === undefined) continue;
    terms.push({ text: text.slice(from, at), sign });
    sign = operator.trim();
    from = at + operator.length;
  }
  return [...terms, { text: text.slice(from), sign }];
}

/** What stands in brackets, where it is more than one figure: a figure in brackets is negative. */
function readGroup(text: string): string | null {
  return /^\(.* [−+/] .*\)$/u.test(text) ? text.slice(1, -1) : null;
}

function listFigures(expression: string, into: string[]): void {
  for (const { text } of splitAt(expression, [' + ', ' − ', ' / '])) {
    const group = readGroup(text);
    if (group === null) into.push(text);
    else listFigures(group, into);
  }
}

function compute(expression: string, mark: DecimalMark): Rounded | null {
  let sum: Rounded = { value: 0, slack: 0 };
  for (const { text, sign } of splitAt(expression, [' + ', ' − '])) {
    const term = divide(text, mark);
    if (term === null) return null;
    sum = { value: sum.value + (sign === '−' ? -term.value : term.value), slack: sum.slack + term.slack };
  }
  return sum;
}

function divide(text: string, mark: DecimalMark): Rounded | null {
  const parts = splitAt(text, [' / ']).map((part) => {
    const group = readGroup(part.text);
    return group === null ? readFigure(part.text, mark) : compute(group, mark);
  });
  return parts.reduce((top, bottom) => {
    if (top === null || bottom === null || bottom.value === 0) return null;
    const value = top.value / bottom.value;
    return { value, slack: (top.slack + Math.abs(value) * bottom.slack) / Math.abs(bottom.value) };
  });
}

/** Without a mark, by whichever one reads all of it. */
function readFigure(text: string, mark?: DecimalMark): Rounded | null {
  if (mark === undefined) return readFigure(text, '.') ?? readFigure(text, ',');
  if (/^\s*[-–—−]\s*$/u.test(text)) return { value: 0, slack: 0 };
  const [number] = scanNumbers(text, mark);
  const found = number ?? scanWordedNumbers(text)[0];
  if (found === undefined || /\d/.test(text.replace(found.text, ''))) return null;
  const scale = found.scale ?? 1;
  return { value: found.value * scale, slack: found.precision * scale };
}

/** Which of two figures is more: above nought the first; null where one is none. */
export function compareFigures(one: string, other: string): number | null {
  const [left, right] = [readFigure(one), readFigure(other)];
  return left === null || right === null ? null : Math.sign(left.value - right.value);
}

/** Near is the same figure, whatever it is counted in and however it is rounded; of a loss either sign. */
function measure(one: Rounded | null, other: Rounded | null): Distance | null {
  if (one === null || other === null) return null;
  if (Math.abs(one.value - other.value) <= 1e-9 * Math.abs(other.value)) return 'same';
  const target = Math.abs(other.value);
  const slack = one.slack + Math.max(3 * other.slack, looseness * target);
  return scales.some((scale) => Math.abs(Math.abs(one.value) * scale - target) <= slack * Math.max(1, scale))
    ? 'near'
    : 'apart';
}

/** Whether an outcome is what the line comes to. What is near may be either: it was rounded, or said to be so. */
export function isOutcomeOf(
  { outcome, gap }: Pick<NumberFinding, 'outcome' | 'gap'>,
  { distance, isContrary }: RecordedArithmetic,
): boolean {
  return outcome === 'holds'
    ? gap === 0 && distance !== 'apart' && !isContrary
    : distance !== 'same' && (gap > 0 || isContrary);
}
