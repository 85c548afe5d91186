import { z } from 'zod';
import { AgonError } from '../../../errors.ts';

const positive = z.number().positive();
const count = z.int().positive();

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL, for example http://127.0.0.1:8000/v1' })
  .refine((url) => {
    const parsed = URL.parse(url); // Checks run on after a failed one: what is no URL is refused above.
    return parsed === null || (parsed.username === '' && parsed.password === '');
  }, 'must not carry a user name or password; put credentials into apiKey or headers');

const providerSchema = z.strictObject({
  kind: z.enum(['openai', 'anthropic', 'google', 'azure', 'openai-compatible']).optional(),
  baseUrl: baseUrl.optional(),
  apiKey: z.string().min(1, 'must not be empty').optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Azure: the resource's name, unless baseUrl is given. */
  resourceName: z.string().optional(),
  /** Azure: a dated API version, for resources without the v1 API. */
  apiVersion: z.string().optional(),
  structuredOutputs: z.boolean().optional(),
});

const priceSchema = z.strictObject({
  input: z.number().nonnegative(),
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});

const modelName = z
  .string()
  .regex(/^[^\s:]+:\S+$/, 'must name a model as provider:model, for example openai:gpt-4o-mini');

const modelSchema = z.strictObject({
  concurrency: count.optional(),
  requestsPerMinute: count.optional(),
  tokensPerMinute: count.optional(),
  timeoutMs: count.optional(),
  retries: z.int().nonnegative().optional(),
  vision: z.boolean().optional(),
  structuredOutputs: z.boolean().optional(),
  temperature: z.number().min(0).max(2).optional(),
  /** Tokens that a model may think with, on top of the longest answer. */
  thinkingTokens: z.int().nonnegative().optional(),
  /** US dollars per million tokens. */
  price: priceSchema.optional(),
  /** Asked in order when this model is unavailable, refuses or is filtered. */
  fallbacks: z.array(modelName).optional(),
});

const defaultsSchema = z.strictObject({
  concurrency: count.default(8),
  requestsPerMinute: count.optional(),
  tokensPerMinute: count.optional(),
  timeoutMs: count.default(60_000),
  /** Further attempts after a first one that failed for a passing reason. */
  retries: z.int().nonnegative().default(3),
  /** The first pause before a retry; it doubles, with jitter, up to maxRetryDelayMs. */
  retryDelayMs: count.default(500),
  /** A provider that asks for a longer pause than this is given up for its fallbacks. */
  maxRetryDelayMs: count.default(60_000),
});

const schema = z.strictObject({
  providers: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'must be a plain name without a colon'), providerSchema)
    .default({}),
  models: z.record(modelName, modelSchema).default({}),
  defaults: defaultsSchema.prefault({}),
  /** Answers kept in a folder or in the ledger, by everything that was sent for them. */
  cache: z
    .union([z.literal(false), z.literal('ledger'), z.strictObject({ directory: z.string().min(1) })])
    .default(false),
  budget: z
    .strictObject({
      itemUsd: positive.optional(),
      itemTokens: count.optional(),
      runUsd: positive.optional(),
      runTokens: count.optional(),
    })
    .default({}),
  /** OpenTelemetry GenAI spans; with `content`, prompts and answers are in them. */
  telemetry: z.union([z.literal(false), z.strictObject({ content: z.boolean().default(false) })]).default(false),
});

/** How models are reached, limited, paid and watched, as a user writes it down: every key is optional. */
export type LlmSettings = z.input<typeof schema>;
export type ResolvedSettings = z.output<typeof schema>;
export type ProviderSettings = z.output<typeof providerSchema>;

export const llmSettingsSchema = schema;

export function resolveSettings(settings: LlmSettings): ResolvedSettings {
  const parsed = schema.safeParse(settings);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AgonError(
    'bad-settings',
    `The setting ${issue!.path.join('.') || 'llm'} is wrong: ${issue!.message}.`,
    'Correct it in the configuration; docs/configuration.md lists every setting.',
  );
}
