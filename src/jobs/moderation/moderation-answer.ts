import { z } from 'zod';
import {
  answerShape,
  parseAnswer,
  provenanceSchema,
  safetyLabels,
  verdictSchema,
  type Described,
} from '../../debate/index.ts';
import { moderationMethods } from './plan.ts';

/** The JSON of an answer: its types, how it is read and what the HTTP API says of it follow from this. */
export const moderationAnswerSchema = z.looseObject({
  ...answerShape,
  job: z.literal('moderation'),
  /** What was judged, by its hash. Its texts are in `sources`. */
  subject: z.looseObject({
    /** The caller's own id, when one was given. */
    id: z.string().nullable(),
    hash: z.string(),
    modality: z.enum(['text', 'image', 'text+image']),
    images: z.array(
      z.looseObject({
        /** `image-1`, `image-2`, … */
        id: z.string(),
        /** `sha256:…` of the original bytes; null when only a description was given. */
        hash: z.string().nullable(),
        mediaType: z.string().nullable(),
        width: z.number().nullable(),
        height: z.number().nullable(),
      }),
    ),
  }),
  verdict: verdictSchema(z.enum(safetyLabels)),
  provenance: provenanceSchema.extend({
    /** Where it is not the debate: the rules that decided are told by it. */
    method: z.enum(moderationMethods).exclude(['debate']).optional(),
    /** `sha256:…` of the embedded eyes, where they looked at an image. */
    eyes: z.string().optional(),
  }),
});

/** The verdict on content, and everything needed to check it. */
export interface ModerationAnswer extends Described<z.infer<typeof moderationAnswerSchema>> {}

export type ModerationSubject = ModerationAnswer['subject'];
export type ModerationProvenance = ModerationAnswer['provenance'];
export type Modality = ModerationSubject['modality'];
export type JudgedImage = ModerationSubject['images'][number];

/** Reads an answer from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readModerationAnswer(json: string, name: string): ModerationAnswer {
  return parseAnswer(moderationAnswerSchema, json, name);
}
