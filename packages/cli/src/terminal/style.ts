import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Text in a style, where the stream shows styles (and NO_COLOR does not forbid them). */
export function style(style: Style, text: string, stream: NodeJS.WriteStream = process.stdout): string {
  return styleText(style, text, { stream, validateStream: true });
}

const labelColours: Readonly<Record<string, 'green' | 'red'>> = {
  safe: 'green',
  positive: 'green',
  unsafe: 'red',
  negative: 'red',
};

/** The colour of a verdict; what lies between is yellow. */
export function colourVerdict(label: string): 'green' | 'red' | 'yellow' {
  return labelColours[label] ?? 'yellow';
}

const escapes = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Untrusted text for a terminal: nothing in it moves the cursor, changes colours or reverses the line. */
export function sanitize(text: string): string {
  const spaced = text.replaceAll('\r\n', '\n').replaceAll('\t', '  ');
  return spaced.replace(escapes, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function printLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** A note on standard error, in one line. */
export function printNote(text: string, stream: NodeJS.WriteStream = process.stderr): void {
  stream.write(`${style('yellow', 'agon:', stream)} ${sanitize(text.replace(/(?<!\s)\s*\n\s*/g, ' '))}\n`);
}
