import { z } from 'zod';
import { named } from './common.ts';

/* OpenAI's moderation API, and what Agon adds to it. */

export const openAiCategories = [
  'harassment', 'harassment/threatening', 'hate', 'hate/threatening', 'illicit', 'illicit/violent', 'self-harm', 'self-harm/intent', 'self-harm/instructions', 'sexual', 'sexual/minors', 'violence', 'violence/graphic',
] as const;

const inputPart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().min(1).max(28_000_000) }) }),
]);

export const openAiModerationRequest = named('OpenAiModerationRequest', z.object({
  input: z.union([z.string(), z.array(z.string()).min(1).max(256), z.array(inputPart).min(1).max(32)]).describe('A text, several texts (one result each), or the parts of one multimodal content.'),
  model: z.string().max(200).optional().describe('`agon-guard` (fast: the guard alone), `agon-debate` (the whole debate); OpenAI’s own names stand for `agon-guard`.'),
}));

const byCategory = <Value extends z.ZodType>(value: Value) => z.object(Object.fromEntries(openAiCategories.map((category) => [category, value])) as Record<(typeof openAiCategories)[number], Value>);

export const openAiModeration = named('OpenAiModeration', z.looseObject({
  id: z.string(),
  model: z.string(),
  results: z.array(z.looseObject({
    flagged: z.boolean(),
    categories: byCategory(z.boolean()),
    category_scores: byCategory(z.number()),
    category_applied_input_types: byCategory(z.array(z.enum(['text', 'image']))),
    agon: z.looseObject({
      case: z.string().describe('The case on record: GET /api/moderations/{case}.'),
      label: z.enum(['safe', 'unsafe', 'undecided']), score: z.number().nullable(), probability: z.number().nullable(), escalate: z.boolean(), rule: z.object({ id: z.string(), why: z.string() }),
      categories: z.array(z.object({ id: z.string(), clause: z.string() })), evidence: z.array(z.unknown()), degraded: z.array(z.unknown()),
    }),
  })),
}));

const model = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() });
export const openAiModel = named('OpenAiModel', model);
export const openAiModels = named('OpenAiModels', z.object({ object: z.literal('list'), data: z.array(model) }));
