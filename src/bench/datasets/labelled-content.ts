import type { Content } from '../../moderation/index.ts';
import { readModerationItem } from '../../runs/index.ts';
import { readLabelledLine, subjectOr, type LabelledItem, type Naming } from './labelled-item.ts';

/** A labelled item of moderation. */
export interface LabelledContent extends LabelledItem<Content> {
  /** What the item is counted under in the table of categories; null when it says nothing. */
  category: string | null;
  looksLikeRefusal: boolean;
}

export interface ContentReading extends Naming {
  /** What image paths are relative to. */
  root: string;
  /** Where an item has both, its image is looked at instead of its description. */
  preferImages?: boolean;
  /** The field of the table of categories. */
  by?: string;
}

/** Reads one line of a benchmark of moderation. */
export function readLabelledContent(value: unknown, { root, preferImages, by = 'category', ...naming }: ContentReading): LabelledContent {
  const { field, ...known } = readLabelledLine(value, naming, '"text", "image" or "image_description"');
  const image = field('image');
  const description = field('image_description');
  const looked = image !== undefined && (preferImages || description === undefined);
  const content = { id: field('id'), text: field('text'), ...(looked ? { image } : { image_description: description }) };
  return {
    ...known,
    subject: subjectOr(() => readModerationItem(content, root)),
    category: categoryOf(field(by)),
    looksLikeRefusal: field('looks_like_refusal') === true,
  };
}

function categoryOf(value: unknown): string | null {
  if (value === undefined) return null;
  return typeof value === 'string' ? value : Array.isArray(value) ? value.map(String).toSorted().join(' + ') || null : JSON.stringify(value);
}
