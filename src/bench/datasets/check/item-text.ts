import { fingerprintText, splitIntoWords } from './fingerprints.ts';

/** What an item says, as it is held against other texts. */
export interface ItemText {
  /** All of it: a text with what its image shows, a prompt with its response, a claim. */
  whole: string;
  /** Of an exchange, what was answered alone. */
  response: string | null;
  /** Of a claim, the document it is about: the same claim about another is another item. */
  about: string;
}

/** The same, taken apart once for all that it is held against. */
export interface PreparedText extends ItemText {
  words: readonly string[];
  /** The words with a space between them. */
  plain: string;
  fingerprint: number;
}

/** Null where there is nothing to compare. */
export function prepareText(text: ItemText | null): PreparedText | null {
  const words = text ? splitIntoWords(text.whole) : [];
  const plain = words.join(' ');
  return text === null || words.length === 0 ? null : { ...text, words, plain, fingerprint: fingerprintText(plain) };
}
