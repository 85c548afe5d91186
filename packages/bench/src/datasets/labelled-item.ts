import { AgonError } from '@agonhq/engine/agon-error';
import { majorityOf } from '@agonhq/engine/statistics';
import { shortenWithin } from '@agonhq/engine/text';
import { matchRefusal } from '@agonhq/judges/evaluation';
import { fingerprintText, splitIntoWords } from './check/fingerprints.ts';

/** What the figures of every job divide items by. What an item does not say is null. */
export interface ItemNotes {
  /** What the item is counted under in the table of categories. */
  category: string | null;
  /** An easy item: one whose text is a refusal. */
  trivial: boolean;
  /** What each of several people said, in the labels of the job. */
  raters: readonly string[] | null;
  /** Null where what is judged cannot be read. */
  modality: string | null;
}

/** An item whose right label is known. */
export interface LabelledItem extends ItemNotes {
  id?: string;
  label: string;
}

/** An item that is judged by itself. */
export interface SubjectItem<Subject> extends LabelledItem {
  /** What is judged; or why it cannot be, which counts against whoever should have judged it. */
  subject: Subject | AgonError;
}

/** How a file's labels are read, and where its files are. */
export interface ItemReading {
  /** Our field names and what the file calls them: `{ text: 'comment', label: 'is_toxic' }`. */
  fields?: Readonly<Record<string, string>>;
  /** The file's labels and what they mean: `{ hateful: 'unsafe' }`. */
  labels?: Readonly<Record<string, string>>;
  /** The field of the table of categories. */
  by?: string;
  /** What paths are relative to. */
  root?: string;
  /** Where an item has both, its image is looked at instead of its description. */
  preferImages?: boolean;
}

/** A way to the fields of a line by our own names. */
export function fieldReader(
  value: unknown,
  fields: Readonly<Record<string, string>> | undefined,
  hint: string,
): (name: string) => unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new AgonError('broken-line', 'The line is not an object.', hint);
  const item = value as Record<string, unknown>;
  return (name) => present(item[fields?.[name] ?? name]);
}

export interface LabelReading<Label extends string> {
  labels?: Readonly<Record<string, string>>;
  /** What a label means. */
  known(text: string): Label | undefined;
  hint: string;
}

/** The label, where nobody else says so that of most raters, and what the figures divide items by. */
export function readNotes<Label extends string>(
  field: (name: string) => unknown,
  { labels = {}, known, hint }: LabelReading<Label>,
): { id?: string; label: Label } & Omit<ItemNotes, 'modality'> {
  const meaningOf = (given: unknown, whose: string) => {
    const text =
      typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
        ? String(given).trim()
        : JSON.stringify(given);
    const meaning = known(own(labels, text) ?? text) ?? known(text.replace(/^([01])\.0+$/, '$1'));
    if (meaning === undefined)
      throw new AgonError('broken-line', `The ${whose} ${JSON.stringify(shortenWithin(text, 80))} is not known.`, hint);
    return meaning;
  };
  const id = field('id');
  const raters = listOf(field('raters'))?.map((given) => meaningOf(given, 'label of a rater')) ?? null;
  const given = field('label');
  const label = given === undefined ? (majorityOf(raters ?? []).label ?? undefined) : meaningOf(given, 'label');
  if (label === undefined)
    throw new AgonError(
      'broken-line',
      raters && raters.length > 0 ? 'The item has no label, and its raters are divided.' : 'The item has no label.',
      hint,
    );
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
    label,
    category: categoryOf(field('category')),
    trivial: isTrue(field('trivial')) || isTrue(field('looks_like_refusal')),
    raters: raters && raters.length > 0 ? raters : null,
  };
}

/** A list, also where a cell of a table holds it: as JSON, or divided by |, ; or commas. */
function listOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value.filter((one) => present(one) !== undefined);
  if (typeof value !== 'string') return value === undefined ? undefined : [value];
  if (value.trim().startsWith('[')) {
    try {
      return listOf(JSON.parse(value) as unknown);
    } catch {
      return [value];
    }
  }
  return value
    .split(/[|;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function categoryOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(String).toSorted().join(' + ') || null
      : JSON.stringify(value);
}

function isTrue(value: unknown): boolean {
  return (
    value === true ||
    value === 1 ||
    (typeof value === 'string' && ['true', '1', 'yes'].includes(value.trim().toLowerCase()))
  );
}

/** Data may call its labels anything, `constructor` too. */
function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** What `read` gives, or the error it would have thrown: a label counts even where its subject cannot be read. */
export function subjectOr<Subject>(read: () => Subject): Subject | AgonError {
  try {
    return read();
  } catch (error) {
    if (AgonError.is(error)) return error;
    throw error;
  }
}

/** Published sets write "None" and "" for what an item does not have. */
function present(value: unknown): unknown {
  const absent = value === null || (typeof value === 'string' && (value.trim() === '' || value.trim() === 'None'));
  return absent ? undefined : value;
}

/**
 * Whether a text is a model's refusal by how it begins: published sets hold some in the place of content, and they
 * are easy.
 */
export function looksLikeRefusal(text: string | undefined): boolean {
  return text !== undefined && matchRefusal(text, 'prefix-match') !== null;
}

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
