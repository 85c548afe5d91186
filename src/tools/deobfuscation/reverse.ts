/** A text backwards, character by character. */
export function reverse(text: string): string {
  return Array.from(text).toReversed().join('');
}
