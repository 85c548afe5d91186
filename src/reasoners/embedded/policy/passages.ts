import { splitSentences } from '../../../text/index.ts';

/** A text up to this long is about one thing. */
const longest = 300;

/**
 * The passages of a text in which a clause of the user's own is looked for: whole sentences, together at most 300
 * characters long, so that one that breaks a clause is not lost among many that do not. A short text is one passage.
 */
export function findPassages(text: string): string[] {
  if (text.length <= longest) return [text];
  const passages: { start: number; end: number }[] = [];
  for (const { start, end } of splitSentences(text)) {
    const last = passages.at(-1);
    if (last && end - last.start <= longest) last.end = end;
    else passages.push({ start, end });
  }
  const words = passages.map(({ start, end }) => text.slice(start, end).trim()).filter((passage) => passage !== '');
  return words.length > 0 ? words : [text];
}
