import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { noteSetting, setting, type CommandKind } from '@agonhq/engine/setting';

const positive = z.number().positive();
const count = z.int().positive();

const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL, for example http://127.0.0.1:8000/v1' })
  .refine((url) => {
    const parsed = URL.parse(url); // Checks run on after a failed one: what is no URL is refused above.
    return parsed === null || (parsed.username === '' && parsed.password === '');
  }, 'must not carry a user name or password; put credentials into apiKey or headers');

const providerSchema = z.strictObject({
  kind: z.enum(['openai', 'anthropic', 'google', 'azure', 'openai-compatible', 'local']).optional(),
  baseUrl: baseUrl.optional(),
  apiKey: z.string().min(1, 'must not be empty').optional(),
  headers: z.record(z.string(), z.string()).optional(),
  /** Azure: the resource's name, unless baseUrl is given. */
  resourceName: z.string().optional(),
  /** Azure: a dated API version, for resources without the v1 API. */
  apiVersion: z.string().optional(),
  structuredOutputs: z.boolean().optional(),
  /** Whether personal data goes to it as it is; by default `send` on this machine and its network, else `mask`. */
  personalData: z.enum(['mask', 'send']).optional(),
  /** Nothing in images and recordings can be masked: whether it gets them all the same. */
  images: z.enum(['send', 'withhold']).optional(),
  recordings: z.enum(['send', 'withhold']).optional(),
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

const limitCommands: readonly CommandKind[] = ['run', 'resume'];

const defaultsSchema = z.strictObject({
  concurrency: noteSetting(count.default(8), {
    help: 'calls to a model at once',
    default: '8',
    flag: '--limit-concurrency <n>',
    flagHelp: 'concurrent calls to each model that has no limit of its own',
    commands: limitCommands,
    variable: 'AGON_CONCURRENCY',
  }),
  requestsPerMinute: setting(count, {
    help: 'calls to a model in a minute',
    default: 'no limit',
    flag: '--requests-per-minute <n>',
    flagHelp: 'calls per minute to each such model, over all workers',
    commands: limitCommands,
    variable: 'AGON_REQUESTS_PER_MINUTE',
  }),
  tokensPerMinute: setting(count, {
    help: 'tokens of a model in a minute',
    default: 'no limit',
    flag: '--tokens-per-minute <n>',
    flagHelp: 'tokens per minute to each such model, over all workers',
    commands: limitCommands,
    variable: 'AGON_TOKENS_PER_MINUTE',
  }),
  timeoutMs: noteSetting(count.default(60_000), {
    help: 'milliseconds that a call may take',
    default: '60,000',
    variable: 'AGON_TIMEOUT_MS',
  }),
  retries: noteSetting(z.int().nonnegative().default(3), {
    help: 'further attempts after 429, 5xx and cut connections; `retry-after` is honoured',
    default: '3',
    variable: 'AGON_RETRIES',
  }),
  retryDelayMs: noteSetting(count.default(500), {
    help: 'first pause before a retry in milliseconds; it doubles, with jitter',
    default: '500',
    variable: null,
  }),
  maxRetryDelayMs: noteSetting(count.default(60_000), {
    help: 'longest pause; a provider that asks for more is given up for its fallbacks',
    default: '60,000',
    variable: null,
  }),
});

/** How models of this machine run in the process itself (`local:…`). */
const localSchema = z.strictObject({
  contextTokens: noteSetting(z.int().min(256).default(8_192), {
    help: 'tokens of context of a model in the process, at most those that it was trained with',
    default: '8,192',
  }),
  maxOutputTokens: noteSetting(z.int().min(32).default(512), {
    help: 'tokens of its longest answer, at most a quarter of the context',
    default: '512',
  }),
  threads: setting(count, {
    help: 'threads that it computes with',
    default: 'the cores that are free when it is loaded',
  }),
  gpu: noteSetting(z.enum(['auto', 'off']).default('auto'), {
    help: 'whether it uses a graphics processor where there is one',
    values: 'auto or off',
    default: 'auto',
  }),
  sequences: noteSetting(z.int().min(1).max(64).default(1), {
    help: 'answers that it writes at once; each takes memory for a context',
    default: '1',
  }),
});

const spendingCommands: readonly CommandKind[] = ['judge', 'run', 'bench'];

const budgetSchema = z.strictObject({
  itemUsd: setting(positive, {
    help: 'US dollars that an item may cost',
    default: 'no limit',
    flag: '--budget-usd <amount>',
    flagHelp: 'spend at most this much per item',
    commands: spendingCommands,
  }),
  itemTokens: setting(count, {
    help: 'tokens that an item may take',
    default: 'no limit',
    flag: '--budget-tokens <n>',
    flagHelp: 'use at most this many tokens per item',
    commands: limitCommands,
  }),
  runUsd: setting(positive, {
    help: 'US dollars that all items together may cost',
    default: 'no limit',
    flag: '--run-budget-usd <amount>',
    flagHelp: 'spend at most this much in total',
    commands: spendingCommands,
  }),
  runTokens: setting(count, {
    help: 'tokens that all items together may take',
    default: 'no limit',
    flag: '--run-budget-tokens <n>',
    flagHelp: 'use at most this many tokens in total',
    commands: limitCommands,
  }),
});

const schema = z.strictObject({
  providers: z
    .record(z.string().regex(/^[a-z0-9][a-z0-9._-]*$/i, 'must be a plain name without a colon'), providerSchema)
    .default({}),
  models: z.record(modelName, modelSchema).default({}),
  defaults: defaultsSchema.prefault({}),
  cache: noteSetting(
    z.union([z.literal(false), z.literal('ledger'), z.strictObject({ directory: z.string().min(1) })]).default(false),
    {
      help: 'where answers of models are kept, by everything that was sent for them',
      values: 'false, ledger, or { directory }',
      default: 'false',
      isPath: true,
      flag: '--cache <folder>',
      flagHelp: 'cache model answers in this folder; "ledger" caches them in the ledger',
      read: (text) => (text === 'false' || text === '0' ? false : text === 'ledger' ? text : { directory: text }),
    },
  ),
  budget: budgetSchema.default({}),
  local: localSchema.prefault({}),
  telemetry: noteSetting(
    z.union([z.literal(false), z.strictObject({ content: z.boolean().default(false) })]).default(false),
    {
      help: 'OpenTelemetry GenAI spans; with `content`, prompts and answers are in them',
      values: 'false, or { content } (in the environment 1, or content)',
      default: 'false',
      read: (text) => telemetryValues[text] ?? text,
    },
  ),
});

const telemetryValues: Readonly<Record<string, unknown>> = {
  content: { content: true },
  '1': { content: false },
  true: { content: false },
  '0': false,
  false: false,
};

/** How models are reached, limited, paid and watched, as a user writes it down: every key is optional. */
export type LlmSettings = z.input<typeof schema>;
export type ResolvedSettings = z.output<typeof schema>;
export type LocalSettings = z.output<typeof localSchema>;
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
