/** What stands between the parts of a message that a model reads as one: text and image, prompt and reply. */
export const partSeparator = ' || ';

/** The parts of a message as one text, and where each of them stands in it. */
export function joinParts(parts: readonly string[]): { text: string; places: { start: number; end: number }[] } {
  let start = 0;
  const places = parts.map(({ length }) => {
    const place = { start, end: start + length };
    start = place.end + partSeparator.length;
    return place;
  });
  return { text: parts.join(partSeparator), places };
}
