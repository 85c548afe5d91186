import { z } from 'zod';
import {
  answerShape,
  parseAnswer,
  provenanceSchema,
  safetyLabels,
  verdictSchema,
  type Described,
} from '@agonhq/engine/debate';
import { contextShape } from '../job/shown-context.ts';
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
    /** The richest of what was given: a film before sound, sound before images and text. */
    modality: z.enum(['text', 'image', 'text+image', 'audio', 'video']),
    images: z.array(
      z.looseObject({
        /** `image-1`, `image-2`, … */
        id: z.string(),
        /** `sha256:…` of the original bytes; null when only a description was given. */
        hash: z.string().nullable(),
        mediaType: z.string().nullable(),
        width: z.number().nullable(),
        height: z.number().nullable(),
        /** What stands for its pixels, by which copies are found */
        fingerprint: z
          .looseObject({
            pdq: z.string(),
            quality: z.number(),
            crops: z.array(z.string()).optional(),
          })
          .optional(),
        /** It is, or came with, an image of a list of known images: nobody looked at it, and it is not kept. */
        withheld: z.literal(true).optional(),
        /** Of a frame: the film it is from, and when it is shown. */
        frame: z.looseObject({ of: z.string(), second: z.number() }).optional(),
      }),
    ),
    /** Absent where there is none. */
    recordings: z
      .array(
        z.looseObject({
          /** `audio-1`, `video-1`, … */
          id: z.string(),
          kind: z.enum(['audio', 'video']),
          /** `sha256:…` of the original bytes. */
          hash: z.string(),
          mediaType: z.string(),
          seconds: z.number(),
        }),
      )
      .optional(),
    ...contextShape,
  }),
  verdict: verdictSchema.extend({ label: z.enum(safetyLabels) }),
  provenance: provenanceSchema.extend({
    /** Where it is not the debate: the rules that decided are told by it. */
    method: z.enum(moderationMethods).exclude(['debate']).optional(),
    /** `sha256:…` of the embedded image models, where they looked at an image. */
    imageModels: z.string().optional(),
    /** Who wrote down what is said in a recording: a part and the hash of its files, or a provider's model. */
    speechModel: z.looseObject({ id: z.string(), digest: z.string() }).optional(),
  }),
});

/** The verdict on content, and everything needed to check it. */
export interface ModerationAnswer extends Described<z.infer<typeof moderationAnswerSchema>> {}

export type ModerationSubject = ModerationAnswer['subject'];
export type ModerationProvenance = ModerationAnswer['provenance'];
export type SubjectModality = ModerationSubject['modality'];
/** What the debaters read: words, what images show, or both. */
export type Modality = 'text' | 'image' | 'text+image';
export type JudgedImage = ModerationSubject['images'][number];
export type JudgedRecording = NonNullable<ModerationSubject['recordings']>[number];

/** Reads an answer from its JSON, or says in one line why it is none. `name` is the file, for the message. */
export function readModerationAnswer(json: string, name: string): ModerationAnswer {
  return parseAnswer(moderationAnswerSchema, json, name);
}
