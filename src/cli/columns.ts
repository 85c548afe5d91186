import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';

/** Breaks a text into lines of at most `width` columns, at spaces where it can. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(width, 8), { hard: true, trim: true }).split('\n');
}

/** Fills a line up to `width` columns. */
export function padded(line: string, width: number): string {
  return line + ' '.repeat(Math.max(0, width - stringWidth(line)));
}
