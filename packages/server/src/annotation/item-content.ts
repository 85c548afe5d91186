import { z } from 'zod';

/** The parts of an item that are looked at, in the order in which they are shown. */
const parts = ['image', 'text', 'prompt', 'response'] as const;
type Part = (typeof parts)[number];

/** What an item holds beside its images. */
export interface AnnotationContent {
  text?: string;
  prompt?: string;
  response?: string;
  /** Of the dataset: not shown to annotators, and handed on by the export. */
  category?: string;
  model?: string;
  /** The label that the dataset came with. */
  given?: string;
}

const optionalText = z.string().optional();
const contentSchema = z.object({
  text: optionalText,
  prompt: optionalText,
  response: optionalText,
  category: optionalText,
  model: optionalText,
  given: optionalText,
});

/** What the ledger keeps of an item. */
export function readItemContent(stored: unknown): AnnotationContent {
  return contentSchema.parse(stored);
}

/** What must be looked at before a vote. */
export function listItemParts(
  content: Pick<AnnotationContent, 'text' | 'prompt' | 'response'>,
  images: readonly unknown[],
): Part[] {
  return parts.filter((part) => (part === 'image' ? images.length > 0 : content[part] !== undefined));
}
