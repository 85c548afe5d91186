import { isEnglish } from '@agonhq/engine/language';
import type { Finding } from './finding.ts';
import { segment } from './segment-words.ts';

const fewLetters = 10;
const mostLines = 1_000;
const mostPerLetter = 2.3;

/**
 * What the first letters of lines say; an empty line stands between words. The initials of a list or a poem say nothing.
 *
 * @example firstLetters('Keep\nit\nlow\nlads') // of enough lines: [{ text: 'kill', … }]
 */
export function firstLetters(text: string): Finding[] {
  const lines = text.split('\n', mostLines).map((line) => line.trim());
  const letters = lines.map((line) => /^\P{L}{0,3}([a-z])/iu.exec(line)?.[1] ?? ' ').join('');
  const runs = letters.toLowerCase().trim().split(/\s+/);
  if (runs.join('').length < fewLetters) return [];
  const words = runs.flatMap((run) => (isEnglish(run) ? [run] : (segment(run, mostPerLetter) ?? [])));
  const known = words.filter((word) => isEnglish(word));
  if (words.join('').length < 0.85 * runs.join('').length || known.length < 0.7 * words.length) return [];
  if (known.filter(({ length }) => length >= 3).length < 2) return [];
  const said = words.join(' ');
  return [{ tool: 'first-letters', text: said, original: lines.slice(0, 5).join('\n'), replaces: [], readable: true }];
}
