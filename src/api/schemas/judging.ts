import { z } from 'zod';
import { base64Text } from '../../base64.ts';
import { named } from './common.ts';

/* What is asked to be judged. */

const base64 = z.string().min(1).max(28_000_000).regex(base64Text, 'must be base64, or a data: URL in base64');

export const image = named(
  'Image',
  z.union([
    z.strictObject({
      data: base64.describe('The bytes in base64, or a data: URL.'),
      name: z.string().max(200).optional(),
    }),
    z.strictObject({
      url: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .describe('Fetched only where the server allows it (`server.fetch.images`), and never from a private address.'),
    }),
    z.strictObject({
      description: z.string().min(1).max(100_000).describe('What the image shows, in words that were made elsewhere.'),
    }),
  ]),
);

const callersId = z.string().min(1).max(256).optional().describe('Your own id of it; comes back in `subject.id`.');

export const moderationRequest = named(
  'ModerationRequest',
  z
    .strictObject({
      id: callersId,
      text: z.string().max(4_000_000).optional(),
      images: z.array(image).max(16).optional(),
      method: z
        .enum(['debate', 'judge', 'vote', 'role-free', 'refusal-match', 'guard'])
        .optional()
        .describe('How it is judged; by default as the server is configured. `guard` is the small model alone.'),
    })
    .describe('A text, images, or both.'),
);

const message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.string().max(2_000_000),
});

export const evaluationRequest = named(
  'EvaluationRequest',
  z
    .strictObject({
      id: callersId,
      model: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('The evaluated model, as provider:model: judges of its own family are warned about.'),
      prompt: z.string().max(2_000_000).optional(),
      response: z.string().max(2_000_000).optional(),
      messages: z
        .array(message)
        .max(1000)
        .optional()
        .describe('A whole conversation that ends with the answer of the model, instead of prompt and response.'),
      method: z.enum(['debate', 'judge', 'vote', 'role-free', 'prefix-match', 'pattern-match', 'guard']).optional(),
    })
    .describe('What a model was asked, and what it answered.'),
);

/** A list as a form gives it: one member, several of the same name, or JSON. */
const listOfTexts = (most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? (value.trim().startsWith('[') ? parsed(value) : [value]) : value),
    z.array(z.string().min(1).max(2000)).max(most),
  );

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const analysisRequest = named(
  'AnalysisRequest',
  z.strictObject({
    factors: listOfTexts(200)
      .optional()
      .describe(
        'Claims of your own to be judged, instead of those of the documents; one or several fields, or a JSON list.',
      ),
    maxFactors: z.coerce.number().int().min(1).max(200).optional().describe('At most so many claims are debated.'),
    method: z.enum(['debate', 'single', 'zero-shot', 'vote']).optional(),
  }),
);
