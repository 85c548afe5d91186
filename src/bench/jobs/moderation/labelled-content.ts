import { AgonError } from '../../../errors.ts';
import { readModerationItem, type Content } from '../../../jobs/moderation/index.ts';
import { subjectOr, type ItemReading } from '../../datasets/labelled-item.ts';
import { readSafetyLine, type SafetyItem } from '../safety/safety-item.ts';

/** A labelled item of moderation. */
export type LabelledContent = SafetyItem<Content>;

/** Reads one line of a dataset of moderation. */
export function readLabelledContent(
  value: unknown,
  { root = '.', preferImages, ...reading }: ItemReading,
): LabelledContent {
  const { field, ...known } = readSafetyLine(value, reading, '"text", "image" or "image_description"');
  const image = field('image');
  const description = field('image_description');
  const looked = image !== undefined && (preferImages || description === undefined);
  const content = {
    id: field('id'),
    text: field('text'),
    ...(looked ? { image } : { image_description: description }),
  };
  const subject = subjectOr(() => readModerationItem(content, root));
  return { ...known, subject, modality: modalityOf(subject) };
}

function modalityOf(subject: Content | AgonError): 'text' | 'image' | 'text+image' | null {
  if (AgonError.is(subject)) return null;
  const [text, image] = [(subject.text ?? '').trim() !== '', (subject.images ?? []).length > 0];
  return text ? (image ? 'text+image' : 'text') : image ? 'image' : null;
}
