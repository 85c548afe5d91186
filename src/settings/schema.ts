import { z } from 'zod';
import { removableParts } from '../moderation/index.ts';
import { llmSettingsSchema } from '../reasoners/index.ts';

const model = z
  .string()
  .regex(/^[^\s:]+:\S+$/, 'must name a model as provider:model, for example openai:gpt-4o-mini');

const seatsSchema = z.strictObject({
  /** Every seat that is not named. */
  default: model.optional(),
  /** Strict and loose; the supporter too, unless it is named. */
  debaters: model.optional(),
  preprocessor: model.optional(),
  supporter: model.optional(),
  'strict-debater': model.optional(),
  'loose-debater': model.optional(),
  arbiter: model.optional(),
});

const moderationSchema = z.strictObject({
  preset: z.enum(['paper']).optional(),
  rounds: z.int().min(1).max(3).optional(),
  turns: z.enum(['together', 'alternate']).optional(),
  earlyStop: z.boolean().optional(),
  without: z.array(z.enum(removableParts)).optional(),
  /** Top-K of retrieval. */
  precedents: z.int().min(1).max(20).optional(),
  vision: z.boolean().optional(),
  ocr: z.boolean().optional(),
  maxCharacters: z.int().min(1).optional(),
});

/** All that a user may set, in agon.config.*, in the environment or by flags. */
export const settingsSchema = z.strictObject({
  seats: seatsSchema.optional(),
  moderation: moderationSchema.optional(),
  /** A policy file; the default policy when absent. */
  policy: z.string().min(1, 'must name a policy file').optional(),
  /** What `agon calibrate` wrote for this configuration; false for none. */
  calibration: z.union([z.literal(false), z.string().min(1)]).optional(),
  ...llmSettingsSchema.partial().shape,
});

export type Settings = z.input<typeof settingsSchema>;
export type ModerationSettings = z.output<typeof moderationSchema>;
export type SeatSettings = z.output<typeof seatsSchema>;
