import { z } from 'zod';
import { moderationMethods, removableParts } from './plan.ts';
import { shotsSchema } from './roles/judges.ts';

/** The block `moderation` of the settings. */
export const moderationSettings = z.strictObject({
  preset: z.enum(['paper']).optional(),
  method: z.enum(moderationMethods).optional(),
  /** Decided cases that the method `judge` shows its judge after the policy. */
  shots: shotsSchema.optional(),
  rounds: z.int().min(1).max(3).optional(),
  turns: z.enum(['together', 'alternate']).optional(),
  earlyStop: z.boolean().optional(),
  without: z.array(z.enum(removableParts)).optional(),
  /** Top-K of retrieval. */
  precedents: z.int().min(1).max(50).optional(),
  vision: z.boolean().optional(),
  ocr: z.boolean().optional(),
  maxCharacters: z.int().min(1).optional(),
});

export type ModerationSettings = z.output<typeof moderationSettings>;
