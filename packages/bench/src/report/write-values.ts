import { shortenCharacters } from '@agonhq/engine/text';

/* Numbers as tables write them, the same on every machine. */

export function writeCount(value: number): string {
  const [whole, part] = String(Number(value.toFixed(1))).split('.');
  // Bounded: the digits of a number.
  const grouped = whole!.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

export function writePlural(value: number, noun: string): string {
  return `${writeCount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `$0.00021`: three digits that count, never a rounded zero. */
export function writeDollars(value: number): string {
  if (value === 0) return '$0';
  const size = Math.abs(value);
  const [whole, part] = (
    size >= 1 ? size.toFixed(2) : size.toFixed(Math.min(12, 2 - Math.floor(Math.log10(size))))
  ).split('.');
  // Bounded: the same.
  return `${value < 0 ? '−' : ''}$${writeCount(Number(whole))}.${part!.replace(/(?<=^..\d*?)0+$/, '')}`;
}

/** `+1,234` or `−1,234`. */
export function writeSigned(value: number, write: (value: number) => string): string {
  const size = write(Math.abs(value));
  return value === 0 ? `±${size}` : `${value < 0 ? '−' : '+'}${size}`;
}

/** `0.012`, `< 0.001`. */
export function formatProbability(value: number): string {
  return value < 0.001 ? '< 0.001' : value.toFixed(3);
}

export function writeMilliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : writeCount(Math.round(value))} ms`;
}

/** `12.4 s`, `3 min 20 s`. */
export function writeInSeconds(value: number): string {
  return value < 60 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s`;
}

/** A name in a table, a heading or a legend. */
export function shortenName(text: string): string {
  return shortenCharacters(text, 96);
}
