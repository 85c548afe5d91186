import { z } from 'zod';
import { isObservation, type CaseFile, type Observation } from '../../debate/index.ts';
import type { Source } from '../../evidence/index.ts';

const modalitySchema = z.enum(['text', 'image', 'text+image']);

const judgedImageSchema = z.object({
  /** `image-1`, `image-2`, … */
  id: z.string(),
  /** `sha256:…` of the original bytes; null when only a description was given. */
  hash: z.string().nullable(),
  mediaType: z.string().nullable(),
  width: z.number().nullable(),
  height: z.number().nullable(),
});

/** What was judged, by its hash. Its texts are in the answer's `sources`. */
export const subjectSchema = z.object({
  /** The caller's own id, when one was given. */
  id: z.string().nullable(),
  hash: z.string(),
  modality: modalitySchema,
  images: z.array(judgedImageSchema),
});

export type Modality = z.infer<typeof modalitySchema>;
export type JudgedImage = Readonly<z.infer<typeof judgedImageSchema>>;
export type ModerationSubject = Readonly<Omit<z.infer<typeof subjectSchema>, 'images'>> & {
  readonly images: readonly JudgedImage[];
};

/** All that the debaters of a moderation case may see. */
export interface ModerationCaseFile extends CaseFile {
  modality: Modality;
  images: readonly JudgedImage[];
}

/** What a seat is asked about: the case file, and what it is judged by. */
export interface ModerationCase extends ModerationCaseFile {
  /** The rulebook as it stands in prompts. */
  policy: string;
  /** Decided cases as a judge on its own is shown them; empty without any. */
  examples: string;
}

/** The neutral text that stands for an image nobody could describe. Nothing can be quoted from it. */
export const placeholderText = 'An image is attached that could not be described.';

export function isPlaceholder(source: Source | Observation): source is Observation {
  return isObservation(source) && source.tool === 'placeholder';
}

/** Whether nothing of the case is known: no text, and of no image a description or any writing. */
export function isUnseen({ modality, images, sources }: ModerationCaseFile): boolean {
  if (modality !== 'image') return false;
  const isRead = (image: string) =>
    sources.some((source) => isObservation(source) && source.of === image && source.tool !== 'placeholder');
  const unseen = sources.filter(isPlaceholder).filter(({ of }) => !isRead(of));
  return unseen.length === images.length;
}

/** What stands for the case: its own text and what its images show, not what tools found hidden in them. */
export function listOwnSources({ sources }: CaseFile): (Source | Observation)[] {
  const own = sources.filter((source) => !isObservation(source) || ['vision', 'given'].includes(source.tool));
  return own.length > 0 ? own : sources.filter((source) => !isPlaceholder(source));
}
