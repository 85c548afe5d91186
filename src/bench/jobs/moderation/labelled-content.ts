import { AgonError } from '../../../errors.ts';
import { type Content, readModerationItem } from '../../../jobs/moderation/index.ts';
import type { Modality } from '../../result.ts';
import {
  categoryOf,
  readLabelledLine,
  subjectOr,
  type LabelledItem,
  type Naming,
} from '../../datasets/labelled-item.ts';

/** A labelled item of moderation. */
export type LabelledContent = LabelledItem<Content>;

export interface ContentReading extends Naming {
  /** What image paths are relative to. */
  root: string;
  /** Where an item has both, its image is looked at instead of its description. */
  preferImages?: boolean;
  /** The field of the table of categories. */
  by?: string;
}

/** Reads one line of a benchmark of moderation. */
export function readLabelledContent(
  value: unknown,
  { root, preferImages, by = 'category', ...naming }: ContentReading,
): LabelledContent {
  const { field, ...known } = readLabelledLine(value, naming, '"text", "image" or "image_description"');
  const image = field('image');
  const description = field('image_description');
  const looked = image !== undefined && (preferImages || description === undefined);
  const content = {
    id: field('id'),
    text: field('text'),
    ...(looked ? { image } : { image_description: description }),
  };
  const subject = subjectOr(() => readModerationItem(content, root));
  return { ...known, subject, category: categoryOf(field(by)), modality: modalityOf(subject) };
}

function modalityOf(subject: Content | AgonError): Modality | null {
  if (AgonError.is(subject)) return null;
  const [text, image] = [(subject.text ?? '').trim() !== '', (subject.images ?? []).length > 0];
  return text ? (image ? 'text+image' : 'text') : image ? 'image' : null;
}
