/*
 * What a number check computed, as a person reads it: the statement in words and signs, with its terms told apart, and
 * the arithmetic a step at a time. Runs in a browser; what is not understood is shown as it is.
 */

/** A piece of an expression: words and signs, or a term that stands for a value. */
export type ExpressionPart = { text: string } | { term: string };

export interface ArithmeticStep {
  what: 'computed' | 'result' | 'stated' | 'gap';
  text: string;
}

/** Stand for terms while the rest is read: names may hold commas, brackets and words like `sum`. */
const firstMark = 0xe000;
const marks = /[\ue000-\uf8ff]/u;

/** `ratio(Europe[FY2024], Total[FY2024]) = 61 %` as `Europe, FY2024 ÷ Total, FY2024 = 61 %`. */
export function readExpression(program: string, terms: readonly string[]): ExpressionPart[] {
  const known = [...new Set(terms)].filter((term) => term !== '').toSorted((a, b) => b.length - a.length);
  if (marks.test(program)) return [{ text: program }];
  let marked = program;
  for (const [index, term] of known.entries())
    marked = marked.replaceAll(term, String.fromCodePoint(firstMark + index));
  const parts: ExpressionPart[] = [];
  for (const piece of wordStatement(marked).split(/([\ue000-\uf8ff])/u)) {
    const term = marks.test(piece) ? known[piece.codePointAt(0)! - firstMark] : undefined;
    if (term !== undefined) parts.push({ term });
    else if (piece !== '') parts.push({ text: piece });
  }
  return parts;
}

/** `Revenue[Europe, FY2024]` as `Revenue, Europe, FY2024`. */
export function nameTerm(term: string): string {
  const at = term.endsWith(']') ? term.indexOf('[', term.lastIndexOf(']', term.length - 2) + 1) : -1;
  if (at < 0) return term;
  const within = term.slice(at + 1, -1);
  return term.slice(0, at) + (within === '' ? '' : `, ${within}`);
}

function wordStatement(text: string): string {
  for (const sign of [' = ', ' > ', ' < ', ' ≥ ', ' ≤ ']) {
    const sides = splitOutside(text, sign);
    if (sides.length === 2) return `${wordValue(sides[0]!)}${sign}${wordValue(sides[1]!)}`;
  }
  return wordValue(text);
}

function wordValue(text: string): string {
  const call = /^(sum|average|difference|ratio|growth|rank|count|every)\((.*)\)$/su.exec(text.trim());
  if (!call || splitOutside(call[2]!, ')').length > 1) return text.trim();
  const given = splitOutside(call[2]!, ', ');
  const [first = '', second = ''] = given;
  switch (call[1]!) {
    case 'sum':
      return given.map(wordValue).join(' + ');
    case 'average':
      return `the average of ${given.map(wordValue).join(', ')}`;
    case 'difference':
      return `${wordValue(first)} − ${wrap(second)}`;
    case 'ratio':
      return `${wrap(first)} ÷ ${wrap(second)}`;
    case 'growth':
      return `growth from ${wordValue(second)} to ${wordValue(first)}`;
    case 'rank': {
      const [end = '', other = ''] = second.split(' of ');
      const among = [other, ...given.slice(2)].map(wordValue).join(', ');
      return `the place of ${wordValue(first)} from the ${end} among ${among}`;
    }
    case 'count':
      return `how many of these hold: ${given.map(wordStatement).join('; ')}`;
    default:
      return given.map(wordStatement).join(' and ');
  }
}

function wrap(text: string): string {
  const words = wordValue(text);
  return words === text.trim() ? words : `(${words})`;
}

/** Parts between separators that stand in no bracket. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(start, at));
      start = at + separator.length;
      at = start - 1;
    } else if ('(['.includes(text[at]!)) depth += 1;
    else if (')]'.includes(text[at]!)) depth = Math.max(0, depth - 1);
  }
  return [...parts, text.slice(start)];
}

/** `1886 / 4600 = 41 %, stated 45 %` a step at a time. */
export function readArithmetic({ arithmetic, gap }: { arithmetic: string; gap: number }): ArithmeticStep[] {
  return arithmetic.split('; ').flatMap((part): ArithmeticStep[] => {
    const at = part.lastIndexOf(', stated ');
    const stated = at < 0 ? null : part.slice(at + ', stated '.length);
    const computed = at < 0 ? part : part.slice(0, at);
    const [left = '', right] = computed.split(/ = (?=[^=]*$)/u);
    const points = Math.round(gap * 10_000) / 100;
    return [
      { what: 'computed', text: left },
      ...(right === undefined ? [] : [{ what: 'result' as const, text: right }]),
      ...(stated === null ? [] : [{ what: 'stated' as const, text: stated }]),
      ...(stated !== null && points > 0 && stated.endsWith('%') && computed.endsWith('%')
        ? [{ what: 'gap' as const, text: `${points} percentage points` }]
        : []),
    ];
  });
}
