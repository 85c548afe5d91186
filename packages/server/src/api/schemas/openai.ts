import { z } from 'zod';
import { named } from './common.ts';

/* OpenAI's moderation API, and what Agon adds to it. */

export const openAiCategories = [
  'harassment',
  'harassment/threatening',
  'hate',
  'hate/threatening',
  'illicit',
  'illicit/violent',
  'self-harm',
  'self-harm/intent',
  'self-harm/instructions',
  'sexual',
  'sexual/minors',
  'violence',
  'violence/graphic',
] as const;

const inputPart = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image_url'), image_url: z.object({ url: z.string().min(1).max(28_000_000) }) }),
]);

export const openAiModerationRequest = named(
  'OpenAiModerationRequest',
  z.object({
    input: z
      .union([z.string(), z.array(z.string()).min(1).max(256), z.array(inputPart).min(1).max(32)], {
        error:
          'must be a text, an array of texts (up to 256), or an array of parts (up to 32) such as { "type": ' +
          '"text", "text": … } and { "type": "image_url", "image_url": { "url": … } }',
      })
      .describe('A text, several texts (one result each), or the parts of one multimodal content.'),
    model: z
      .string()
      .max(200)
      .optional()
      .describe(
        '`agon-guard` (fast: the guard alone), `agon-debate` (the whole debate); OpenAI’s own names stand for ' +
          '`agon-guard`.',
      ),
  }),
);

const byCategory = <Value extends z.ZodType>(value: Value) =>
  z.object(
    Object.fromEntries(openAiCategories.map((category) => [category, value])) as Record<
      (typeof openAiCategories)[number],
      Value
    >,
  );

export const openAiModeration = named(
  'OpenAiModeration',
  z.looseObject({
    id: z.string(),
    model: z.string().describe('As requested.'),
    agon: z
      .looseObject({
        model: z.enum(['agon-guard', 'agon-debate']),
        policy: z.object({ name: z.string(), version: z.string(), hash: z.string() }),
      })
      .describe('What judged the input, and by which rules.'),
    results: z.array(
      z.looseObject({
        flagged: z
          .boolean()
          .describe(
            'Unsafe; or undecided, or with an image that nobody saw: nobody is acquitted by a crash. An empty ' +
              'text is not flagged.',
          ),
        categories: byCategory(z.boolean()).describe(
          'True where the verdict is unsafe and the category’s score is at least 0.5.',
        ),
        category_scores: byCategory(z.number().min(0).max(1)).describe(
          'The verdict’s risk with its bar at 0.5, shared out by the clauses of the policy; not calibrated by ' +
            'category.',
        ),
        category_applied_input_types: byCategory(z.array(z.enum(['text', 'image']))).describe(
          'What could be read of the input.',
        ),
        agon: z.looseObject({
          case: z
            .string()
            .nullable()
            .describe('The case on record: GET /api/cases/{case}; null where there was nothing that could be judged.'),
          label: z.enum(['safe', 'unsafe', 'undecided']),
          risk: z.number().nullable().describe('How likely the content is to be unsafe; null when nobody was heard.'),
          bar: z.number().nullable().describe('The risk from which it is unsafe.'),
          escalate: z.boolean(),
          rule: z.object({ id: z.string(), why: z.string() }),
          categories: z.array(z.object({ id: z.string(), clause: z.string() })),
          evidence: z.array(z.unknown()),
          degraded: z.array(z.unknown()),
        }),
      }),
    ),
  }),
);

const model = z.object({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() });
export const openAiModel = named('OpenAiModel', model);
export const openAiModels = named('OpenAiModels', z.object({ object: z.literal('list'), data: z.array(model) }));
