/** On one line: each stretch of white space is one space. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** On one line, and without the brackets that mark off material in a prompt. */
export function toLabel(text: string): string {
  return text.replaceAll(/[\s<>]+/g, ' ').trim();
}

/** The first so many UTF-16 code units of a longer text, and a mark behind them. */
export function shorten(text: string, most: number, mark = '…'): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}${mark}` : text;
}

/** The same where the mark counts, too: what comes out is never longer than `most`. */
export function shortenWithin(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
}

/** The first so many characters of a longer text, counted as people count them: no emoji is cut in half. */
export function shortenCharacters(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, most * 2 + 2));
  return characters.length <= most ? text : `${characters.slice(0, most).join('').trimEnd()} …`;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWithAnd(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)!}`;
}
