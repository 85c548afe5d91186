import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { readModerationItem, type Content } from '@agonhq/judges/moderation';
import { subjectOr, type ItemReading } from '../../datasets/labelled-item.ts';
import { readSafetyLine, type SafetyItem } from '../safety/run-safety.ts';
import type { ServiceImage } from '@agonhq/models/reasoners';
import { inspectImage, loadImage } from '@agonhq/models/senses';
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

/** What a verdict should rest on, as people marked it. What the data does not say is null. */
interface ExpectedGrounds {
  /** By id; none for an item that breaks no clause. */
  clauses: readonly string[] | null;
  severity: string | null;
  /** Stretches of the text, in UTF-16 code units. */
  spans: readonly { start: number; end: number; quote: string }[] | null;
}

const spanSchema = z.object({
  part: z.string().default('text'),
  start: z.int().min(0),
  end: z.int().min(0),
  quote: z.string().min(1),
});

const spanHint =
  'An item may have "clauses" (ids), "severity" and "spans" ({"start":0,"end":4,"quote":"word"}) beside its label; ' +
  'a cell of a table holds lists as JSON.';

/**
 * What an item says of clauses, severity and evidence; undefined where it says nothing of them. Data of others may have
 * columns of these names in another shape: those say nothing of ours.
 */
function readExpectedGrounds(field: (name: string) => unknown, text: string | undefined): ExpectedGrounds | undefined {
  const clauses = z.array(z.string()).safeParse(readList(field('clauses'))).data ?? null;
  const severity = z.string().safeParse(field('severity')).data ?? null;
  const spans = z.array(spanSchema).safeParse(readList(field('spans'))).data ?? null;
  if (clauses === null && severity === null && spans === null) return undefined;
  return {
    clauses,
    severity,
    spans:
      spans &&
      spans
        .filter(({ part }) => part === 'text')
        .map(({ start, end, quote }) => placeSpan({ start, end, quote }, text ?? '')),
  };
}

function readList(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value
      .split(/[|;,]/)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  }
}

/** Where a span stands. A table may have moved it: what looks like a formula is led by an apostrophe there. */
function placeSpan(span: { start: number; end: number; quote: string }, text: string) {
  if (text.slice(span.start, span.end) === span.quote) return span;
  const places: number[] = [];
  for (let at = text.indexOf(span.quote); at >= 0; at = text.indexOf(span.quote, at + 1)) places.push(at);
  const [start] = places.toSorted((one, other) => Math.abs(one - span.start) - Math.abs(other - span.start));
  if (start === undefined)
    throw new AgonError('broken-line', 'A span quotes words that are not in the text.', spanHint);
  return { ...span, start, end: start + span.quote.length };
}
