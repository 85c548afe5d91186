/** The beginning of a text from outside: pages and tables stay of a size, however long a line is. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = Array.from(text.slice(0, most * 2));
  return characters.length <= most ? text.slice(0, most * 2) : `${characters.slice(0, most).join('').trimEnd()} …`;
}

/** A name in a table, a heading or a legend. */
export function shortName(text: string): string {
  return clip(text, 96);
}
