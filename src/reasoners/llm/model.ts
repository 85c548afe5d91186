import type { TelemetryOptions } from 'ai';
import type { ProviderModel } from './call.ts';
import type { Failure } from './failures.ts';
import { createLimiter, type Limiter, type Limits } from './limits.ts';
import { rejectsTemperature, seesImages, thinks } from './model-traits.ts';
import { free, listPrice, type Price } from './prices.ts';
import { loadModel, type Provider } from './providers.ts';
import type { Redact } from './redact.ts';
import type { ResolvedSettings } from './settings.ts';

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
  },
): Model {
  const own = settings.models[name] ?? {};
  const { defaults } = settings;
  const structuredOutputs = own.structuredOutputs ?? provider.structuredOutputs;
  const thinkingTokens = own.thinkingTokens ?? (thinks(id) ? usualThinkingTokens : 0);
  const learnt = new Set<Feature>();
  let loading: Promise<ProviderModel> | undefined;

  return {
    name,
    model: id,
    provider,
    redact: shared.redact,
    limiter: (shared.limiter ?? createLimiter)({
      concurrency: own.concurrency ?? defaults.concurrency,
      requestsPerMinute: own.requestsPerMinute ?? defaults.requestsPerMinute,
      tokensPerMinute: own.tokensPerMinute ?? defaults.tokensPerMinute,
    }),
    price: own.price
      ? { ...own.price, cachedInput: own.price.cachedInput ?? own.price.input }
      : provider.local
        ? free
        : listPrice(provider.kind, id),
    vision: own.vision ?? seesImages(id),
    fallbacks: own.fallbacks ?? [],
    timeoutMs: own.timeoutMs ?? defaults.timeoutMs,
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
      return (loading ??= loadModel(provider, id, shared.fetch));
    },
    async telemetry(roleId) {
      return { ...(await shared.telemetry()), functionId: roleId };
    },
    identity: {
      kind: provider.kind,
      baseUrl: provider.baseUrl.replace(/\?.*$/, ''),
      model: id,
      temperature: own.temperature ?? null,
      structuredOutputs,
      thinkingTokens,
    },
  };
}
