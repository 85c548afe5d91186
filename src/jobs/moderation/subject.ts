import { z } from 'zod';

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
