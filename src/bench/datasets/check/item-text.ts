import { AgonError } from '../../../errors.ts';
import type { DatasetItem } from '../read-dataset.ts';
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

/** Null where what is judged cannot be read. */
export function readItemText(item: DatasetItem): ItemText | null {
  if (!('subject' in item))
    return {
      whole: item.claim,
      response: null,
      about: 'text' in item.source ? item.source.text : `${item.source.path}#${item.source.entry ?? ''}`,
    };
  const { subject } = item;
  if (AgonError.is(subject)) return null;
  if ('messages' in subject) {
    const spoken = subject.messages
      .filter(({ role }) => role === 'user' || role === 'assistant')
      .map(({ content }) => content);
    return { whole: spoken.join(' '), response: spoken.at(-1) ?? null, about: '' };
  }
  if ('prompt' in subject)
    return { whole: `${subject.prompt} ${subject.response}`, response: subject.response, about: '' };
  const shown = (subject.images ?? []).map((image) =>
    'description' in image ? image.description : 'file' in image ? image.file : '',
  );
  return { whole: [subject.text ?? '', ...shown].join(' ').trim(), response: null, about: '' };
}

/** What label an item has, whatever the job. */
export function readItemLabel(item: DatasetItem): string {
  return 'label' in item ? item.label : item.unsafe ? 'unsafe' : 'safe';
}
