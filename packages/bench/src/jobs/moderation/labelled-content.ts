import { AgonError } from '@agonhq/engine/agon-error';
import { readModerationItem, type Content } from '@agonhq/judges/moderation';
import { subjectOr, type ItemReading } from '../../datasets/labelled-item.ts';
import { readSafetyLine, type SafetyItem } from '../safety/run-safety.ts';
import type { ServiceImage } from '@agonhq/models/reasoners';
import { inspectImage, loadImage } from '@agonhq/models/senses';
import { readExpectedGrounds, type ExpectedGrounds } from './expected-grounds.ts';
import type { ExternalReader } from '../../systems/external/external-system.ts';

/** A labelled item of moderation. */
export interface LabelledContent extends SafetyItem<Content> {
  /** What a verdict should rest on, where the data says so. */
  expected?: ExpectedGrounds;
}

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
  const expected = readExpectedGrounds(field, AgonError.is(subject) ? undefined : subject.text);
  return { ...known, subject, modality: modalityOf(subject), ...(expected ? { expected } : {}) };
}

function modalityOf(subject: Content | AgonError): 'text' | 'image' | 'text+image' | null {
  if (AgonError.is(subject)) return null;
  const [text, image] = [(subject.text ?? '').trim() !== '', (subject.images ?? []).length > 0];
  return text ? (image ? 'text+image' : 'text') : image ? 'image' : null;
}

/**
 * How systems of others read a content: as a user's only turn, which nobody answered. `describe` puts words in place
 * of images, the same that our own systems read.
 */
export function readContentAsText(
  describe?: (content: Content, signal: AbortSignal) => Promise<Content>,
): ExternalReader<Content> {
  return {
    job: 'moderation',
    hasResponse: false,
    async toDialogue(content, signal) {
      const text = contentAsText(describe && hasUnseenImages(content) ? await describe(content, signal) : content);
      return { turns: [{ role: 'user', content: text }], prompt: text, response: null };
    },
    async toImages({ images = [], ...content }) {
      const text = contentAsText({ ...content, images: images.filter((image) => 'description' in image) });
      return {
        text: text === '' ? null : text,
        images: await Promise.all(
          images.flatMap((image) => ('file' in image || 'data' in image ? [openImage(image)] : [])),
        ),
      };
    },
  };
}

/**
 * A content as those read it who read text alone: its text and, in the very words that the debate reads, its images.
 */
export function contentAsText({ text, images = [] }: Content): string {
  const seen = images.map((image) => {
    if ('description' in image) return `Image: ${image.description}`;
    throw new AgonError(
      'no-description',
      'An image has no description, and this system reads only text.',
      'Name who describes images (--preprocessor openai:gpt-4o-mini), or give descriptions in the data.',
    );
  });
  return [...(text === undefined ? [] : [text]), ...seen].join('\n\n');
}

function hasUnseenImages({ images = [] }: Content): boolean {
  return images.some((image) => !('description' in image));
}

async function openImage(image: { file: string } | { data: Uint8Array; name?: string }): Promise<ServiceImage> {
  const bytes = 'file' in image ? await loadImage(image.file) : image.data;
  return (await inspectImage(bytes, 'file' in image ? image.file : (image.name ?? 'image'))).vision;
}
