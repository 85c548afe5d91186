import type { TelemetryOptions } from 'ai';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ProviderModel } from '../calls/call-model.ts';
import type { Failure } from '../calls/classify-failure.ts';
import { createLimiter, type Limiter, type Limits } from '../calls/limiter.ts';
import { rejectsTemperature, seesImages, thinks } from './model-traits.ts';
import { findListPrice, free, type Price } from './prices.ts';
import type { Redact } from './redact.ts';
import { openLocalModel } from '../local/index.ts';
import { loadModel, type Environment, type Provider } from './resolve-provider.ts';
import type { ResolvedSettings } from './settings.ts';

/** `openai:gpt-4o-mini`, taken apart. */
interface ModelName {
  provider: string;
  model: string;
}

/** Splits at the first colon only: `ollama:llama3.2:3b` is the model `llama3.2:3b` of Ollama. */
export function parseModelName(name: string): ModelName {
  const colon = name.indexOf(':');
  const provider = name.slice(0, colon);
  const model = name.slice(colon + 1);
  if (colon < 1 || model === '' || /\s/.test(name)) {
    throw new AgonError(
      'bad-model-name',
      `"${name}" is not the name of a model.`,
      'Name models as provider:model, for example openai:gpt-4o-mini or ollama:llama3.2.',
    );
  }
  return { provider, model };
}

type Feature = Extract<Failure, { kind: 'unsupported' }>['feature'];

/** A model as the pool knows it: how to reach it, what it may do, and what was learnt about it. */
export interface Model {
  /** `openai:gpt-4o-mini`. */
  name: string;
  /** `gpt-4o-mini`. */
  model: string;
  provider: Provider;
  redact: Redact;
  limiter: Limiter;
  price: Price | null;
  vision: boolean;
  /** It could look at images, and the settings keep them from it. */
  withholdsImages: boolean;
  /** Whether personal data is put behind placeholders before anything is sent to it. */
  masks: boolean;
  fallbacks: readonly string[];
  timeoutMs: number;
  retries: number;
  retryDelayMs: number;
  maxRetryDelayMs: number;
  thinkingTokens: number;
  /** Whether the answer's schema is sent as such, or in the text. */
  readonly structured: boolean;
  /** Whether it is called as one of OpenAI's reasoning models. */
  readonly reasoning: boolean;
  temperatureFor(roleTemperature: number | undefined): number | undefined;
  /** Remembers that the model lacks a feature; false when it was not used anyway. */
  doWithout(feature: Feature): void;
  load(): Promise<ProviderModel>;
  /** Of a model that runs in this process, the hash of its file. */
  digest: string | undefined;
  /** It gets the parts of its prompt by themselves, to cut them to its context. */
  inParts: boolean;
  /** Lets go of what it holds in memory. */
  close(): Promise<void>;
  telemetry(roleId: string): Promise<TelemetryOptions>;
  /** Everything in the settings that may change an answer. */
  identity: object;
}

/** Room for a thinking model's thoughts, which count as output. */
const usualThinkingTokens = 4_096;

export function createModel(
  name: string,
  id: string,
  provider: Provider,
  settings: ResolvedSettings,
  shared: {
    redact: Redact;
    fetch: typeof globalThis.fetch;
    telemetry: () => Promise<TelemetryOptions>;
    limiter?: (limits: Limits) => Limiter;
    environment: Environment;
  },
): Model {
  const own = settings.models[name] ?? {};
  const { defaults } = settings;
  const structuredOutputs = own.structuredOutputs ?? provider.structuredOutputs;
  const thinkingTokens = own.thinkingTokens ?? (thinks(id) ? usualThinkingTokens : 0);
  const { trust } = provider;
  const sees = provider.kind !== 'local' && (own.vision ?? seesImages(id));
  const learnt = new Set<Feature>();
  const local = provider.kind === 'local' ? openLocalModel(id, settings.local, shared.environment) : null;
  let loading: Promise<ProviderModel> | undefined;

  return {
    name,
    model: id,
    provider,
    redact: shared.redact,
    limiter: (shared.limiter ?? createLimiter)({
      concurrency: own.concurrency ?? local?.concurrency ?? defaults.concurrency,
      requestsPerMinute: own.requestsPerMinute ?? defaults.requestsPerMinute,
      tokensPerMinute: own.tokensPerMinute ?? defaults.tokensPerMinute,
    }),
    price: own.price
      ? { ...own.price, cachedInput: own.price.cachedInput ?? own.price.input }
      : provider.local
        ? free
        : findListPrice(provider.kind, id),
    vision: sees && trust.images === 'send',
    withholdsImages: sees && trust.images === 'withhold',
    masks: trust.personalData === 'mask',
    fallbacks: own.fallbacks ?? [],
    timeoutMs: own.timeoutMs ?? local?.timeoutMs ?? defaults.timeoutMs,
    retries: own.retries ?? defaults.retries,
    retryDelayMs: defaults.retryDelayMs,
    maxRetryDelayMs: defaults.maxRetryDelayMs,
    thinkingTokens,
    get structured() {
      return structuredOutputs && !learnt.has('structured-output');
    },
    get reasoning() {
      return learnt.has('max-tokens');
    },
    temperatureFor(roleTemperature) {
      if (learnt.has('temperature')) return undefined;
      return own.temperature ?? (rejectsTemperature(id) ? undefined : roleTemperature);
    },
    doWithout(feature) {
      learnt.add(feature);
    },
    load() {
      return (loading ??= local ? Promise.resolve(local.model) : loadModel(provider, id, shared.fetch));
    },
    digest: local?.digest,
    inParts: local !== null,
    close: async () => local?.close(),
    async telemetry(roleId) {
      return { ...(await shared.telemetry()), functionId: roleId };
    },
    identity: {
      kind: provider.kind,
      baseUrl: provider.baseUrl.split('?')[0]!,
      model: local ? local.identity : id,
      temperature: own.temperature ?? null,
      structuredOutputs,
      thinkingTokens,
      // Left unsaid where nothing is kept back, so that what was asked before stays what it was. Nor is masking said:
      // the meaning of a prompt is the same with placeholders, and work that was begun without them goes on.
      ...(sees && trust.images === 'withhold' ? { images: 'withheld' } : {}),
    },
  };
}
