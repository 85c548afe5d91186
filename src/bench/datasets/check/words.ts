import { hash } from 'node:crypto';
import { splitPlainWords } from '../../../text/index.ts';

/**
 * The words of a text, without case, marks and white space. Where there are none (emoji, marks), the text itself is
 * one.
 */
export function wordsOf(text: string): string[] {
  const words = splitPlainWords(text);
  if (words.length > 0) return words;
  const rest = text.trim();
  return rest === '' ? [] : [rest];
}

/** A text as it is compared: its words in order. */
export function normalised(text: string): string {
  return wordsOf(text).join(' ');
}

/**
 * The first bytes of the hash of a normalised text that make its fingerprint: a whole number that a `number` holds
 * exactly.
 */
export const fingerprintBytes = 6;

export function fingerprintOf(normalisedText: string): number {
  return Buffer.from(hash('sha256', normalisedText, 'buffer')).readUIntBE(0, fingerprintBytes);
}
