import { AgonError } from '../errors.ts';
import type { Content } from '../moderation/index.ts';
import { readModerationItem } from '../runs/index.ts';

/** An item whose right label is known. */
export interface LabelledItem {
  id?: string;
  unsafe: boolean;
  /** What is judged; or why it cannot be, which counts against whoever should have judged it. */
  content: Content | AgonError;
  /** What the item is counted under in the table of categories; null when it says nothing. */
  category: string | null;
  looksLikeRefusal: boolean;
}

export interface ReadingOptions {
  /** What image paths are relative to. */
  root: string;
  /** Where an item has both, its image is looked at instead of its description. */
  preferImages?: boolean;
  /** Our field names and what the file calls them: `{ text: 'comment', label: 'is_toxic' }`. */
  fields?: Readonly<Record<string, string>>;
  /** The file's labels and what they mean: `{ hateful: 'unsafe' }`. */
  labels?: Readonly<Record<string, 'safe' | 'unsafe'>>;
  /** The field of the table of categories. */
  by?: string;
}

const knownLabels: Record<string, 'safe' | 'unsafe'> = {
  safe: 'safe', unharmful: 'safe', '0': 'safe', false: 'safe',
  unsafe: 'unsafe', harmful: 'unsafe', '1': 'unsafe', true: 'unsafe',
};

/** Reads one line of a benchmark. */
export function readLabelledItem(value: unknown, options: ReadingOptions): LabelledItem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw broken('The line is not an object.');
  const item = value as Record<string, unknown>;
  const field = (name: string) => present(item[options.fields?.[name] ?? name]);
  const id = field('id');
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
    unsafe: readLabel(field('label'), options.labels) === 'unsafe',
    content: contentOf({ id, text: field('text') }, field('image'), field('image_description'), options),
    category: categoryOf(present(item[options.by ?? 'category'])),
    looksLikeRefusal: item['looks_like_refusal'] === true,
  };
}

function contentOf(item: { id: unknown; text: unknown }, image: unknown, description: unknown, { root, preferImages }: ReadingOptions): Content | AgonError {
  const looked = image !== undefined && (preferImages || description === undefined);
  try {
    return readModerationItem({ ...item, ...(looked ? { image } : { image_description: description }) }, root);
  } catch (error) {
    if (AgonError.is(error)) return error;
    throw error;
  }
}

function readLabel(value: unknown, own: ReadingOptions['labels']): 'safe' | 'unsafe' {
  if (value === undefined) throw broken('The item has no label.');
  const text = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value).trim() : JSON.stringify(value);
  const label = own?.[text] ?? knownLabels[text.toLowerCase()];
  if (label) return label;
  throw broken(`The label ${JSON.stringify(text)} is not known.`);
}

function categoryOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).toSorted().join(' + ') || null : JSON.stringify(value);
}

/** Published sets write "None" and "" for what an item does not have. */
function present(value: unknown): unknown {
  const absent = value === null || (typeof value === 'string' && (value.trim() === '' || value.trim() === 'None'));
  return absent ? undefined : value;
}

function broken(message: string): AgonError {
  return new AgonError('broken-line', message, 'An item has "label" (safe/unsafe, harmful/unharmful, 0/1, true/false) and "text", "image" or "image_description"; --map and --map-label name them otherwise.');
}
