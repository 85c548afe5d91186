import { isCommonStem, stemWithIrregulars, type Token } from '../../../../text/index.ts';

/** A word where it stands. */
interface Said {
  text: string;
  tokens: readonly Token[];
  token: Token;
}

const movements = new Set(
  (
    'increase decrease decline reduce rise fall drop grow shrink expand contract improve worsen deteriorate ' +
    'strengthen weaken up down higher lower'
  )
    .split(' ')
    .map((word) => stemWithIrregulars(word)),
);
/** They join what is one subject: "the revenue of the group". */
const joins = new Set(['the', 'a', 'an', 'of', 'in', 'our', 'its', 'from', 'for']);
/** Said of any measure, and so of none. */
const general = new Set(
  'total group company overall consolidated fy also strongly sharply slightly significantly far'
    .split(' ')
    .map((word) => stemWithIrregulars(word)),
);
const most = 4;

/**
 * Whether two words of movement are said of one thing: that costs fell says nothing of a profit that rose, nor does
 * one year of another.
 */
export function isOfSameSubject(one: Said, other: Said): boolean {
  if (!movements.has(one.token.stem) || !movements.has(other.token.stem)) return true;
  const [left, right] = [findSubject(one), findSubject(other)];
  if (
    left.size > 0 &&
    right.size > 0 &&
    !(left.size === right.size && Array.from(left).every((stem) => right.has(stem)))
  )
    return false;
  const [years, others] = [listYears(one.text), listYears(other.text)];
  return years.length === 0 || others.length === 0 || years.some((year) => others.includes(year));
}

/** The words right before a verb, back to where another phrase ends. */
function findSubject({ text, tokens, token }: Said): Set<string> {
  const subject = new Set<string>();
  for (let at = tokens.indexOf(token) - 1; at >= 0 && subject.size < most; at--) {
    const { stem, end, number, text: word } = tokens[at]!;
    if (/[,;:()]/.test(text.slice(end, tokens[at + 1]!.start))) break;
    if (number !== null || general.has(stem) || joins.has(word.toLowerCase())) continue;
    if (isCommonStem(stem)) break;
    subject.add(stem);
  }
  return subject;
}

function listYears(text: string): string[] {
  return text.match(/\b(?:19|20)\d\d\b/g) ?? [];
}
