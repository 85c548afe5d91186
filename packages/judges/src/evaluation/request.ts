import { z } from 'zod';
import { contextSchema } from '@agonhq/engine/items/item-context';
import type { JobRequest } from '../job/job-inputs.ts';
import { callersId, requestedByPolicy } from '../job/stored-items.ts';
import type { EvaluateOptions } from './evaluate.ts';
import { readExchange, type Exchange } from './exchange.ts';

const message = z.strictObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.string().max(2_000_000),
});

export const evaluationRequestSchema = z
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
    context: contextSchema.optional(),
    method: z.enum(['debate', 'judge', 'vote', 'role-free', 'prefix-match', 'pattern-match', 'guard']).optional(),
    ...requestedByPolicy,
  })
  .describe('What a model was asked, and what it answered.');

export const evaluationRequest: JobRequest<Exchange, EvaluateOptions> = {
  schema: evaluationRequestSchema,
  read: async (given: z.output<typeof evaluationRequestSchema>, { item: id }) => ({
    input: readExchange({ ...(id === undefined ? {} : { id }), ...given }),
  }),
};
