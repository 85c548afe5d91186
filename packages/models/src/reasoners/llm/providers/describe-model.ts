import { AgonError } from '@agonhq/engine/agon-error';
import { patienceMs } from '../local/index.ts';
import { parseModelName } from './model.ts';
import { findListPrice, free } from './prices.ts';
import { resolveProvider, type Environment, type Provider } from './resolve-provider.ts';
import { resolveSettings, type LlmSettings } from './settings.ts';

/** How a model is reached, limited and paid: for people, without any secret. */
export interface DescribedModel {
  provider: string;
  /** Where it is asked; null where that is not known. */
  host: string | null;
  /** It runs on the user's own machines. */
  local: boolean;
  /** Where its key comes from; null where it has none. */
  key: { from: 'settings' | 'environment'; variable: string | null } | null;
  limits: {
    concurrency: number;
    requestsPerMinute: number | null;
    tokensPerMinute: number | null;
    timeoutMs: number;
  };
  /** US dollars per million tokens; null where it is not known. */
  price: { input: number; output: number } | null;
  fallbacks: readonly string[];
  /** Why it cannot be asked. */
  problem: AgonError | null;
}

export function describeModel(name: string, given: LlmSettings, environment: Environment): DescribedModel {
  const { models, providers, defaults, local } = resolveSettings(given);
  const own = models[name] ?? {};
  const { provider: providerName, model } = parseModelName(name);
  const found = find(() => resolveProvider(providerName, providers[providerName], environment));
  const provider = 'value' in found ? found.value : null;
  const isInProcess = provider?.kind === 'local';
  const price = own.price ?? (provider && (provider.local ? free : findListPrice(provider.kind, model)));
  return {
    provider: providerName,
    host: provider && new URL(provider.baseUrl).host,
    local: provider?.local ?? false,
    key: provider && describeKey(provider, providers[providerName]?.apiKey !== undefined),
    limits: {
      concurrency: own.concurrency ?? (isInProcess ? local.sequences : defaults.concurrency),
      requestsPerMinute: own.requestsPerMinute ?? defaults.requestsPerMinute ?? null,
      tokensPerMinute: own.tokensPerMinute ?? defaults.tokensPerMinute ?? null,
      timeoutMs: own.timeoutMs ?? (isInProcess ? patienceMs : defaults.timeoutMs),
    },
    price: price && { input: price.input, output: price.output },
    fallbacks: own.fallbacks ?? [],
    problem: 'problem' in found ? found.problem : null,
  };
}

function find<Value>(work: () => Value): { value: Value } | { problem: AgonError } {
  try {
    return { value: work() };
  } catch (error) {
    if (AgonError.is(error)) return { problem: error };
    throw error;
  }
}

function describeKey({ apiKey, variables }: Provider, isInSettings: boolean): DescribedModel['key'] {
  if (apiKey === undefined) return null;
  return isInSettings ? { from: 'settings', variable: null } : { from: 'environment', variable: variables.key };
}
