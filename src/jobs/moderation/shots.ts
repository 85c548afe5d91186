import { z } from 'zod';

const shotSchema = z
  .strictObject({
    text: z.string().min(1).optional(),
    image_description: z.string().min(1).optional(),
    label: z.enum(['safe', 'unsafe']),
    why: z.string().optional(),
  })
  .refine(
    ({ text, image_description }) => text !== undefined || image_description !== undefined,
    'an example needs a text, an image_description, or both',
  );

/**
 * Decided cases that a judge on its own is shown before the one it decides. More would weigh on every call more than
 * they teach.
 */
export const shotsSchema = z.array(shotSchema).max(8);

export type Shot = z.infer<typeof shotSchema>;
