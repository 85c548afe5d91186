import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

type Style = Parameters<typeof styleText>[0];

/** Text in a style, where the stream shows styles (and NO_COLOR does not forbid them). */
export function styled(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream, validateStream: true });
}

const escapes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Untrusted text for a terminal: nothing in it moves the cursor, changes colours or reverses the line. */
export function plain(text: string): string {
  const spaced = text.replaceAll('\r\n', '\n').replaceAll('\t', '  ');
  return spaced.replace(escapes, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Breaks a text into lines of at most `width` columns, at spaces where it can. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(width, 8), { hard: true, trim: true }).split('\n');
}

/** Fills a line up to `width` columns. */
export function padded(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)));
}
