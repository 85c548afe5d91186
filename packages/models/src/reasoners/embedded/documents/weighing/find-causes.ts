import type { Dossier, NumberPlace } from '@agonhq/documents';
import { readAmounts } from './read-amounts.ts';
import { listLines, dropOrigin, type WeighedLine, type Lines } from './rank-lines.ts';
import { isCommonStem, joinPlainWords, tokenize, pattern } from '@agonhq/engine/text';

/** What else a dossier says of the cause that a claim names. */
export interface Causes {
  /** Lines that speak of the cause with its effect, each saying once; the claim's own sentence is none of them. */
  backing: readonly string[];
  /** Lines that name another cause for the same effect. */
  alternatives: readonly string[];
  /** Whether any line knows something of the cause. */
  known: boolean;
}

const effectFirst = pattern('iu')`
  \b(?:because(?: of)?|due (?:primarily |mainly |largely |in part )?to|driven (?:primarily |mainly |largely )?by
  |caused by|thanks to|attribut(?:ed|able) (?:primarily |mainly |largely )?to|owing to
  |as a (?:result|consequence) of|result(?:ed|ing)? from|reflecting|on the back of)\b`;
const causeFirst = pattern('iu')`
  \b(?:led to|leads to|drove|result(?:s|ed|ing)? in|caused|(?:was|were|is|are) (?:the |a )?(?:\w+ )?
  (?:drivers?|causes?|reasons?) (?:of|for|behind))\b`;

interface Causal {
  cause: readonly string[];
  effect: readonly string[];
  years: readonly string[];
  amounts: readonly string[];
  /** Which way the effect went, where a word says so. */
  direction: 1 | -1 | 0;
}

/** Words that say how much and which way, not what. */
const moving = pattern('u')`
  ^(?:increas|decreas|grow|ris|rise|fall|declin|improv|reduc|chang|higher|lower|up|down|percent|million|billion
  |primari|primary|main|mainly|larg|strong|partial|compar|year|quarter|fiscal|period|total|company|offset|driv
  |result|new$|recent|continu)`;

const rising = /\b(?:increas\w*|grew|grow\w*|rose|ris\w+|improv\w*|higher|up|gain\w*|expan\w*)\b/iu;
const falling = /\b(?:decreas\w*|declin\w*|fell|fall\w*|lower|down|reduc\w*|shrank|dropp\w*|contract\w*)\b/iu;

function parseCause(text: string): Causal | null {
  const match = effectFirst.exec(text) ?? causeFirst.exec(text);
  if (!match) return null;
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)].map((part) =>
    tokenize(part).flatMap(({ stem, number }) =>
      number !== null || isCommonStem(stem) || moving.test(stem) ? [] : [stem],
    ),
  );
  const [effect, cause] = effectFirst.test(text) ? [before!, after!] : [after!, before!];
  if (cause.length === 0 || effect.length === 0) return null;
  const told = effectFirst.test(text) ? text.slice(0, match.index) : text.slice(match.index);
  const [up, down] = [rising.test(told), falling.test(told)];
  return {
    cause,
    effect,
    years: text.match(/\b(?:19|20)\d\d\b/gu) ?? [],
    amounts: readAmounts(told).flatMap((amount) => (amount.label ? [] : [amount.text])),
    direction: up === down ? 0 : up ? 1 : -1,
  };
}

/** How much of some words, by their rarity, others have. */
function measureShare(asked: readonly string[], has: (stem: string) => boolean, { rarity }: Lines): number {
  const words = [...new Set(asked)];
  const weigh = (some: readonly string[]): number => some.reduce((sum, stem) => sum + rarity(stem), 0);
  return words.length === 0 ? 0 : weigh(words.filter(has)) / weigh(words);
}

const most = 0.6;
const half = 0.5;
const little = 0.25;

/** Reads the cause that a claim names against the other lines of its dossier; null when it names none. */
export function findCauses(claim: string, dossier: Dossier, origin: NumberPlace | null): Causes | null {
  const causal = parseCause(claim);
  if (!causal) return null;
  const lines = dropOrigin(listLines(dossier), origin);
  const prose = lines.all.filter(({ block }) => !block.table);
  const knownBy = new Map(
    prose.map((line) => [line, measureShare(causal.cause, (stem) => line.stems.has(stem), lines)]),
  );
  const knowing = prose.filter((line) => knownBy.get(line)! >= most);
  const tied = (line: WeighedLine): number => measureShare(causal.effect, (stem) => line.stems.has(stem), lines);
  const backing = knowing
    .filter((line) => isSentence(line) && tied(line) >= half && runsTogether(causal.cause, line))
    .toSorted((a, b) => tied(b) - tied(a));
  const alternatives = prose.filter((line) => namesAnotherCause(causal, line, lines));
  return {
    backing: dropRepeats(backing),
    alternatives: dropRepeats(alternatives).slice(0, 2),
    known: prose.some((line) => knownBy.get(line)! > little),
  };
}

/** A heading or an entry of a list names things, and says nothing of them. */
function isSentence({ text, tokens }: WeighedLine): boolean {
  return tokens.length >= 6 && /[.!?]["”’)]*$/u.test(text.trim());
}

/** Two words of a cause side by side, as it names it: words of it that lie about speak of something else. */
function runsTogether(cause: readonly string[], { tokens }: WeighedLine): boolean {
  if (new Set(cause).size < 2) return true;
  const stems = tokens.flatMap(({ stem }) => (isCommonStem(stem) ? [] : [stem]));
  return cause.some((stem, index) => stems.some((other, at) => other === stem && stems[at + 1] === cause[index + 1]));
}

const named = new WeakMap<WeighedLine, Causal | null>();

/** The cause that a line names, read once for all claims. */
function parseLineCause(line: WeighedLine): Causal | null {
  let causal = named.get(line);
  if (causal === undefined) named.set(line, (causal = parseCause(line.text)));
  return causal;
}

function namesAnotherCause(causal: Causal, line: WeighedLine, lines: Lines): boolean {
  const other = parseLineCause(line);
  if (!other) return false;
  const sameWords =
    measureShare(causal.effect, (stem) => other.effect.includes(stem), lines) >= most &&
    measureShare(other.effect, (stem) => causal.effect.includes(stem), lines) >= most;
  const sameWay = causal.direction === 0 || other.direction === 0 || causal.direction === other.direction;
  // Another amount is another effect: of another segment, or another year.
  const sameAmount =
    causal.amounts.length === 0 ||
    other.amounts.length === 0 ||
    causal.amounts.some((amount) => other.amounts.includes(amount));
  const sameTime =
    causal.years.length === 0 || other.years.length === 0 || causal.years.some((year) => other.years.includes(year));
  const otherCause = measureShare(causal.cause, (stem) => line.stems.has(stem), lines) < little;
  return sameWords && sameWay && sameAmount && sameTime && otherCause;
}

function dropRepeats(lines: readonly WeighedLine[]): string[] {
  return [...Map.groupBy(lines, ({ text }) => joinPlainWords(text)).values()].map(([first]) => first!.text);
}
