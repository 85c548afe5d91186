import { type Finding, type Replacement, rewrite } from './finding.ts';
import { isEnglish, isRiskWord, segment } from './words.ts';

const spelledOut = /(?<![\p{L}\p{N}])[a-z](?:[ .·•_*|~/-]{1,4}[a-z](?![\p{L}\p{N}])){2,199}/giu;
const gap = /[^a-z]+/gi;
const maxCharacters = 8000;

/** Letters kept apart so that no filter sees the word: `k.i.l.l`, `b o m b`, `h o w  t o`. */
export function spacedLetters(text: string): Finding[] {
  const words: Replacement[] = [];
  let examined = 0;
  for (const { 0: original, index } of text.matchAll(spelledOut)) {
    const by = joined(original);
    if (by !== null) words.push({ start: index, end: index + original.length, by });
    examined += original.length;
    if (examined > maxCharacters) break;
  }
  return rewrite('spaced-letters', text, words);
}

/** Words as they are parted by wider gaps, or as English parts them; null when they are none. */
function joined(original: string): string | null {
  const gaps = new Set(original.match(gap));
  const narrow = [...gaps].toSorted((a, b) => a.length - b.length)[0]!;
  if (narrow.length > 2 || [...gaps].some((wider) => wider !== narrow && wider.trim() !== narrow.trim())) return null;

  const groups = original.split(narrow === ' ' ? / {2,4}/ : ' ').map((group) => group.replace(gap, ''));
  const words = groups.length > 1 ? groups : (segment(groups[0]!.toLowerCase()) ?? []);
  const letters = groups.join('');
  const known = words.filter((word) => isEnglish(word.toLowerCase()));
  if (words.length === 0 || known.join('').length < letters.length * 0.6) return null;

  const isAcronym = original === original.toUpperCase() && narrow === '.';
  const isLoaded = words.some((word) => word.length >= 3 && isRiskWord(word.toLowerCase()));
  const isLong = !isAcronym && letters.length >= 5 && known.some((word) => word.length >= 4);
  if (!isLoaded && !isLong) return null;
  return words.length > 1 ? words.join(' ') : letters;
}
