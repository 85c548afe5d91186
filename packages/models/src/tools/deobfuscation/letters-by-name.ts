import { findMatches, listWords } from '@agonhq/engine/text';
import { payload, type Finding } from './finding.ts';
import { isLanguage } from './known-words.ts';
import { segment } from './segment-words.ts';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';
const spoken = listWords(`
  alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra
  tango uniform victor whiskey xray yankee zulu`);
const otherwise: Record<string, string> = { alpha: 'a', juliet: 'j', whisky: 'w', 'x-ray': 'x' };
const letterOf = new Map([...spoken.map((word, at) => [word, alphabet[at]!] as const), ...Object.entries(otherwise)]);

const fewest = 6;
const longest = 40_000;
/** What stands between letters, and more of it between words. */
const gap = '[ \\t\\r\\n,.;:|/_–-]{1,6}';
const inWords = new RegExp(
  `\\b(?:${[...letterOf.keys()].join('|')})\\b(?:${gap}(?:${[...letterOf.keys()].join('|')})\\b){${fewest - 1},}`,
  'gi',
);
const inNumbers = new RegExp(
  `(?<![\\d.,])(?:[1-9]|1\\d|2[0-6])(?:${gap}(?:[1-9]|1\\d|2[0-6])(?!\\d)){${fewest - 1},}`,
  'g',
);

/** Letters written by their names on the radio (`kilo india lima lima`), or by their numbers in the alphabet. */
export function lettersByName(text: string): Finding[] {
  if (text.length > longest) return [];
  return [
    ...readNames('spelling-alphabet', text, inWords, (name) => letterOf.get(name.toLowerCase())!),
    ...readNames('numbered-letters', text, inNumbers, (name) => alphabet[Number(name) - 1]!),
  ];
}

function readNames(tool: string, text: string, pattern: RegExp, read: (name: string) => string): Finding[] {
  return [...findMatches(text, pattern)].flatMap(({ 0: original, index }) => {
    const [first, ...rest] = original.split(new RegExp(`(${gap})`));
    const gaps = rest.filter((_, at) => at % 2 === 0);
    const shortest = Math.min(...gaps.map(({ length }) => length));
    const letters = rest.map((part, at) => (at % 2 === 1 ? read(part) : isBetweenWords(part, shortest) ? ' ' : ''));
    const joined = [read(first!), ...letters].join('');
    const said = joined.includes(' ') ? joined : (segment(joined)?.join(' ') ?? joined);
    return isLanguage(said) ? [payload(tool, { original, start: index }, said, true)] : [];
  });
}

function isBetweenWords(between: string, shortest: number): boolean {
  return between.length > shortest || /[\n/|]/.test(between);
}
