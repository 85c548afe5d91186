/*
 * Characters that cannot be seen, or that reorder what is around them, and can so make a page say what its text
 * does not say. What scripts and emoji need stays: joiners between non-ASCII characters, one variation selector,
 * the flags of England, Scotland and Wales, Arabic number signs.
 */
const innocent = String.raw`\r(?=\n)|\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}`;
const joiner = String.raw`(?<=^|\p{ASCII})[\u200c\u200d]|[\u200c\u200d](?=$|\p{ASCII})`;
const selector = String.raw`[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`;
const visible = String.raw`[\t\n\u200c\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}${selector}]`;
const invisible = String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--${visible}]`;
const controls = new RegExp(`(${innocent})|${joiner}|(?<=${selector})${selector}|${invisible}`, 'gv');

/** Replaces each character that could deceive a reader by what `show` makes of its name (`U+202E`). */
export function showControls(text: string, show: (name: string) => string): string {
  return text.replace(controls, (character: string, kept: string | undefined) =>
    kept === undefined ? show(`U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`) : kept,
  );
}
