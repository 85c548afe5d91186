import { showControls } from '@agonhq/engine/view';

/* The fonts that every PDF reader has know the letters of Windows-1252 and no others. */

const extra = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';
const likeness: Record<string, string> = {
  '−': '–',
  '‐': '-',
  '‑': '-',
  '‒': '–',
  '―': '—',
  '≥': '>=',
  '≤': '<=',
  '≠': '!=',
  '≈': '~',
  '→': '->',
  '←': '<-',
  '∞': 'infinity',
  '′': "'",
  '″': '"',
  '∕': '/',
  '⁄': '/',
  Δ: 'Delta',
  '√': 'sqrt',
  '∑': 'sum',
  '✓': '[x]',
  '✕': '[ ]',
};
const known = (character: string) =>
  /[\t\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff]/.test(character) || extra.includes(character);

/**
 * A text in the letters of the standard fonts. What they lack is shown by its number, a long run of it by its length.
 */
export function inStandardLetters(text: string): string {
  const characters = showControls(text, (name) => `[${name}]`)
    .normalize('NFC')
    .replace(/[\u2000-\u200a\u202f\u205f\u3000]/g, ' ');
  return characters.replace(/[^\t\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff]+/gu, (run) => {
    const parts = Array.from(run, (character) => (known(character) ? character : (likeness[character] ?? null)));
    const lacking = parts.filter((part) => part === null).length;
    if (lacking > 4) return `[${lacking} characters that this font lacks]`;
    return parts
      .map(
        (part, index) =>
          part ?? `[U+${Array.from(run)[index]!.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
      )
      .join('');
  });
}
