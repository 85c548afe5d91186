import { readAmounts, deriveAmount, isSameAmount, type Amount } from './read-amounts.ts';
import { rankLines, type WeighedLine, type Lines, type RankedLine } from './rank-lines.ts';
import { absoluteWords, areOpposite, negationWords, plainAbsolutes, isOfSameSubject } from './compare-words.ts';
import { type Signal, makeSignal } from './signal.ts';
import { isCommonStem, type WordToken, pattern } from '@agonhq/engine/text';

/** A claim in its words, with the lines nearest to it. */
export interface ReadClaim {
  text: string;
  tokens: readonly WordToken[];
  /** Those that say something. */
  content: readonly WordToken[];
  lines: Lines;
  nearest: readonly RankedLine[];
}

const close = 5;
const amountLines = 12;
/** Of the nearest lines with amounts, so many are also reckoned with each other. */
const joined = 3;

/** What of a claim's words and numbers the text of a dossier does not bear out. */
export function weighText(claim: ReadClaim): Signal[] {
  return [
    ...weighNames(claim),
    ...weighAmounts(claim),
    ...weighNegation(claim),
    ...weighOpposites(claim),
    ...weighAbsolutes(claim),
  ];
}

/** Of a claim that the document makes itself: its names and numbers are its own, its wording is weighed. */
export function weighWording(claim: ReadClaim): Signal[] {
  return [...weighOpposites(claim), ...weighAbsolutes(claim, plainAbsolutes)];
}

function selectClosest({ nearest }: ReadClaim, count = close): readonly WeighedLine[] {
  return nearest.slice(0, count).map(({ line }) => line);
}

/** Names that are nowhere in the dossier. */
function weighNames({ text, content, tokens, lines }: ReadClaim): Signal[] {
  return content.flatMap((token) => {
    const begins = token === tokens[0] || /[.?!]\s*$/u.test(text.slice(Math.max(0, token.start - 2), token.start));
    if (token.number !== null || begins || !/^\p{Lu}/u.test(token.text) || lines.has(token.stem)) return [];
    return [makeSignal('name', `The document does not speak of ${token.text}.`, { missing: [token.text] })];
  });
}

const known = new WeakMap<WeighedLine, Amount[]>();

function readLineAmounts(line: WeighedLine): Amount[] {
  let amounts = known.get(line);
  if (!amounts) known.set(line, (amounts = readAmounts(line.text)));
  return amounts;
}

/** Words that say how an amount moves rather than what it measures. */
const dull = pattern()`
  ^(?:percent|percentag|increas|decreas|chang|approximat|rate|year|end|month|compar|exact|combin|overall|company
  |total|amount|period|quarter|fiscal|\d{4})$`;

function weighAmounts(claim: ReadClaim): Signal[] {
  const { lines, content } = claim;
  const stated = readAmounts(claim.text);
  if (stated.length === 0) return [];
  const near = claim.nearest.map(({ line }) => line);
  const measures = rankLines(
    content.flatMap(({ stem }) => (dull.test(stem) ? [] : [stem])),
    { ...lines, all: lines.all.filter((line) => readLineAmounts(line).some(({ label }) => !label)) },
    amountLines,
  ).map(({ line }) => line);
  return stated
    .flatMap((amount): Signal[] => {
      const says = (line: WeighedLine): boolean =>
        readLineAmounts(line).some(({ value }) =>
          amount.label ? value === amount.value : isSameAmount(amount, value),
        );
      if (amount.label) {
        if (lines.all.some(says)) return [];
        return [makeSignal('date', `The document does not speak of ${amount.text}.`, { missing: [amount.text] })];
      }
      const beside = near.find(says);
      if (beside) return [];
      const far = lines.all.find(says);
      if (far)
        return [
          makeSignal('far-number', `${amount.text} stands in the document only in another place.`, {
            quotes: [far.text],
          }),
        ];
      const derived = findDerivation(amount, measures);
      if (derived)
        return [makeSignal('derived', `${amount.text} follows: ${derived.arithmetic}.`, { quotes: derived.quotes })];
      const why = `${amount.text} neither stands in the document nor follows from the numbers nearest to the claim.`;
      const quotes = measures.slice(0, 1).map(({ text }) => text);
      return [makeSignal('number', why, { quotes, missing: [amount.text] })];
    })
    .slice(0, 4);
}

function findDerivation(
  stated: Amount,
  lines: readonly WeighedLine[],
): { arithmetic: string; quotes: string[] } | null {
  const own = lines.map((line) => ({
    line,
    amounts: readLineAmounts(line)
      .filter(({ label }) => !label)
      .slice(0, 12),
  }));
  for (const [index, first] of own.entries()) {
    const others = index < joined ? own.slice(0, joined) : [first];
    for (const second of [first, ...others.filter((other) => other !== first)]) {
      for (const a of first.amounts) {
        for (const b of second.amounts) {
          const found = a === b ? null : deriveAmount(stated, a, b);
          if (found)
            return {
              arithmetic: found.arithmetic,
              quotes: first === second ? [first.line.text] : [first.line.text, second.line.text],
            };
        }
      }
    }
  }
  return null;
}

function findNegations(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replace(/’/gu, "'")
      .match(/[\p{L}']+/gu) ?? []
  ).filter((word) => negationWords.has(word));
}

/** The claim denies, and nothing near to it does. */
function weighNegation(claim: ReadClaim): Signal[] {
  const [denial] = findNegations(claim.text);
  const lines = selectClosest(claim, 3);
  if (denial === undefined || lines.length === 0 || lines.some((line) => findNegations(line.text).length > 0))
    return [];
  const why = `The claim says “${denial}”; the passages nearest to it deny nothing.`;
  return [makeSignal('negation', why, { quotes: [lines[0]!.text] })];
}

/** A word of the claim whose opposite stands near to it, and itself does not. */
function weighOpposites(claim: ReadClaim): Signal[] {
  const lines = selectClosest(claim);
  const found = claim.content.flatMap((token): Signal[] => {
    if (token.number !== null || lines.some(({ stems }) => stems.has(token.stem))) return [];
    const isOther = (said: WordToken, { text, tokens }: WeighedLine): boolean =>
      areOpposite(said.stem, token.stem) &&
      isOfSameSubject({ text: claim.text, tokens: claim.tokens, token }, { text, tokens, token: said });
    const line = lines.find((one) => one.tokens.some((said) => isOther(said, one)));
    const other = line?.tokens.find((said) => isOther(said, line));
    if (!line || !other) return [];
    const why = `The claim says “${token.text}” where the document says “${other.text}”.`;
    return [makeSignal('opposite', why, { quotes: [line.text] })];
  });
  return found.slice(0, 2);
}

/** Words that leave no room, where the nearest lines have none of them. */
function weighAbsolutes({ text, nearest }: ReadClaim, known: ReadonlySet<string> = absoluteWords): Signal[] {
  const words = Array.from(new Set((text.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => known.has(word))));
  if (nearest.length === 0) return [];
  return words.slice(0, 2).map((word) => makeSignal('absolute', `“${word}” leaves no room.`));
}

/** How much of a claim, by the rarity of its words, some lines have. */
export function measureCover({ content, lines }: ReadClaim, within: readonly WeighedLine[]): number {
  const total = content.reduce((sum, { stem }) => sum + lines.rarity(stem), 0);
  const found = content.reduce(
    (sum, { stem }) => sum + (within.some((line) => line.stems.has(stem)) ? lines.rarity(stem) : 0),
    0,
  );
  return total === 0 ? 0 : found / total;
}

export function selectContent(tokens: readonly WordToken[]): WordToken[] {
  return tokens.filter(({ stem }) => !isCommonStem(stem));
}
