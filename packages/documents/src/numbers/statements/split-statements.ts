import { pattern } from '@agonhq/engine/text';
import { scanPeriods } from '../values/scan-periods.ts';
import { splitClauses } from './split-clauses.ts';

export const asserts = pattern('iu')`
  \d|\b(?:was|were|is|are|had|has|have|rose|fell|grew|came|stood|led|did|ranked|peaked|(?!combined|united|related|continued|limited)\p{L}{3,}ed|saw|made|held)\b`;

/** Clauses that state something: "A and B reached" is one, though a verb follows the "and". */
export function splitStatements(text: string): [number, number][] {
  const found: [number, number][] = [];
  for (const [from, to] of splitClauses(text)) {
    const last = found.at(-1);
    if (last !== undefined && !asserts.test(cutPeriods(text.slice(...last)))) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

/** A text with blanks where its periods stand. */
export function cutPeriods(text: string): string {
  return scanPeriods(text).reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  );
}
