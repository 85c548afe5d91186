import { isUtf8 } from 'node:buffer';
import { isEnglish, listEnglish } from '@agonhq/engine/language';

const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd]/;
const sample = 2000;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Decodes UTF-8 strictly: bytes that are no text give null. Bytes that were cut short may end within a character. */
export function utf8(bytes: Uint8Array, { isCut = false } = {}): string | null {
  // Most bytes that could be text are none; an error for each would take longer than all the rest.
  if (!isCut && !isUtf8(bytes)) return null;
  try {
    const text = isCut
      ? new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
      : decoder.decode(bytes);
    return control.test(text) ? null : text;
  } catch {
    return null;
  }
}

/** Whether decoded characters are language. By chance, random bytes are so about once in a billion times. */
export function isLanguage(text: string): boolean {
  const seen = text.slice(0, sample).trim();
  const letters = seen.match(/\p{L}/gu)?.length ?? 0;
  const spaces = seen.match(/\s/g)?.length ?? 0;
  const words = seen.toLowerCase().match(/[a-z]+/g) ?? [];
  if (/[^\u0000-\u024f\u2000-\u206f]/.test(seen)) return letters >= 6 && (letters + spaces) / seen.length >= 0.75;
  if (seen.length < 12 || spaces === 0)
    return letters / seen.length >= 0.8 && words.length > 0 && words.every(isWholeWord);
  const known = words.filter(isEnglish).length / Math.max(1, words.length);
  return (letters + spaces) / seen.length >= (known >= 0.4 ? 0.6 : 0.85);
}

function isWholeWord(word: string): boolean {
  return word.length >= 3 && isEnglish(word);
}

export const spelling = { english: 1, rot13: 2, reversed: 4 };

/** For each spelling: whether it is English, the rot13 of English, or English backwards. */
let spellings: ReadonlyMap<string, number> | undefined;

function listSpellings(): ReadonlyMap<string, number> {
  const { common, risk } = listEnglish();
  const found = new Map<string, number>();
  const mark = (word: string, bit: number): unknown => found.set(word, (found.get(word) ?? 0) | bit);
  for (const word of [...common, ...risk]) {
    mark(word, spelling.english);
    mark(rot13(word), spelling.rot13);
    mark(reverse(word), spelling.reversed);
  }
  return found;
}

/** Which of English, rot13 and backwards English a word in lower case could be, as bits of `spelling`. */
export function spellingsOf(word: string): number {
  spellings ??= listSpellings();
  return spellings.get(word) ?? 0;
}

/** A text backwards, character by character. */
export function reverse(text: string): string {
  return Array.from(text).toReversed().join('');
}

/** Each Latin letter by the one thirteen places on; its own inverse. */
export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base);
  });
}
