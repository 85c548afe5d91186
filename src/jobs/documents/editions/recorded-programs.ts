import type { NumberFinding } from '../numbers/finding.ts';
import { compareFigures, longestLine, readArithmetic, type RecordedArithmetic } from './recorded-arithmetic.ts';

/*
 * The arithmetic of statements that were read as programs: `42.0, stated 45`, `(40.0 + 44.0) / 2 = 42, stated 45`,
 * `(126 − 120) / 120 = 5 % ≤ (112 − 100) / 100 = 12 %`, `not so: 25.0 ≤ 30.0`, ranks and counts.
 */

const opposite: Readonly<Record<string, string>> = { '≠': '=', '≤': '>', '≥': '<', '<': '≥', '>': '≤' };

/** Reads the line of a program back; null where it is none. */
export function readProgramLine({ arithmetic, outcome, program }: NumberFinding): RecordedArithmetic | null {
  if (program === undefined || arithmetic.length > longestLine) return null;
  const isRefuted = arithmetic.startsWith('not so: ');
  const line = arithmetic.replace(/^not so: /u, '');
  const level = /^([^=]+), stated ([^><≥≤]+)$/u.exec(line);
  if (level !== null) return readArithmetic(`${level[1]} = ${level[2]}`);
  const computed = /^(.+ = .+), stated ([^><≥≤;]+)$/u.exec(line);
  const isPlain = computed !== null && !/ among | of \d+: /u.test(line);
  if (isPlain && !/\) \/ \d+ = /u.test(line)) return readArithmetic(line);
  const parts = line.replace(/^\d+ of \d+: /u, '').split('; ');
  const orders = parts.map(readOrder);
  const isOrdered = orders.every((order) => order === null || (order.isTrue && isSaid(order.sign, outcome, program)));
  return {
    figures: listProgramFigures(line),
    isRight: isOrdered && (!isRefuted || outcome === 'conflict'),
    distance: isPlain ? (readArithmetic(line)?.distance ?? null) : null,
    isContrary: outcome === 'conflict',
  };
}

/** `A = 5 % ≤ B = 12 %`: whether it is so, by the values that both sides come to. */
function readOrder(line: string): { sign: string; isTrue: boolean } | null {
  const sides = /^(.+) ([≠><≥≤]) (.+)$/u.exec(line);
  if (sides === null || line.includes(', stated ')) return null;
  const [left, right] = [sides[1]!, sides[3]!].map((side) => side.split(' = ').at(-1)!);
  const order = compareFigures(left!, right!);
  const sign = sides[2]!;
  const isTrue =
    order !== null &&
    ((sign === '≠' && order !== 0) ||
      (order > 0 && /[>≥]/u.test(sign)) ||
      (order < 0 && /[<≤]/u.test(sign)) ||
      (order === 0 && /[≤≥]/u.test(sign)));
  return { sign, isTrue };
}

/** What holds has the sign of its program; what does not, its opposite. A count has both. */
function isSaid(sign: string, outcome: NumberFinding['outcome'], program: string): boolean {
  if (program.startsWith('count(')) return true;
  return program.includes(` ${outcome === 'holds' ? sign : opposite[sign]} `);
}

/** The figures that stand in documents: not what they come to, how many they are, or which place they take. */
function listProgramFigures(line: string): string[] {
  const terms = line
    // A count is stated in words.
    .replace(/^\d+ of \d+: (.*), stated .*$/u, '$1')
    .replaceAll(/ = [^;≠><≥≤]+?(?=, stated | [≠><≥≤] |;|$)|\) \/ \d+(?= |$)|place \d+ from the \p{L}+/gu, ' ; ')
    .split(/, stated (?:[><≥≤] )?|; | among |, (?=[\d$€£¥(−-])| [−+/≠><≥≤] |^\(+|(?<=\d[^()]*)\)+(?= |$)/u);
  return terms.map((term) => term.replace(/^[\s(;]+(?=[^()]*$)/u, '').trim()).filter((term) => /\d/.test(term));
}
