import type { EmbeddingModel } from 'ai';
import { AgonError } from '@agonhq/engine/agon-error';
import type { ProviderModel } from '../calls/call-model.ts';
import { decideTrust, type ProviderTrust } from './provider-trust.ts';
import type { ProviderSettings } from './settings.ts';

export type ProviderKind = NonNullable<ProviderSettings['kind']>;
export type Environment = Record<string, string | undefined>;

/** A provider with everything known about it, from the settings, the environment and the presets, in this order. */
export interface Provider {
  name: string;
  kind: ProviderKind;
  baseUrl: string;
  apiKey: string | undefined;
  headers: Record<string, string>;
  apiVersion: string | undefined;
  structuredOutputs: boolean;
  /** Runs on the user's own machines: costs nothing. */
  local: boolean;
  trust: ProviderTrust;
  variables: { key: string; baseUrl: string };
}

interface Preset {
  kind: ProviderKind;
  baseUrl?: string;
  keyVariable?: string;
  local?: boolean;
  /** Asks for a key at its own address; a proxy in its place may not. */
  keyed?: boolean;
}

const presets: Record<string, Preset> = {
  openai: { kind: 'openai', baseUrl: 'https://api.openai.com/v1' },
  anthropic: { kind: 'anthropic', baseUrl: 'https://api.anthropic.com/v1' },
  google: {
    kind: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
  },
  azure: { kind: 'azure' },
  xai: { kind: 'openai-compatible', baseUrl: 'https://api.x.ai/v1', keyed: true },
  deepseek: { kind: 'openai-compatible', baseUrl: 'https://api.deepseek.com/v1', keyed: true },
  openrouter: { kind: 'openai-compatible', baseUrl: 'https://openrouter.ai/api/v1', keyed: true },
  ollama: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:11434/v1', local: true },
  vllm: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:8000/v1', local: true },
  local: { kind: 'local', baseUrl: 'local://this-process', local: true },
  lmstudio: { kind: 'openai-compatible', baseUrl: 'http://127.0.0.1:1234/v1', local: true },
};

/** Finds a provider's address and key; an AgonError says which setting and which variable are missing. */
export function resolveProvider(
  name: string,
  settings: ProviderSettings | undefined,
  environment: Environment,
): Provider {
  const preset = presets[name];
  const prefix = name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_');
  const variables = { key: preset?.keyVariable ?? `${prefix}_API_KEY`, baseUrl: `${prefix}_BASE_URL` };
  const kind = settings?.kind ?? preset?.kind ?? 'openai-compatible';
  const usual = kind === 'azure' ? azureUrl() : (preset?.baseUrl ?? presets[kind]?.baseUrl);
  const baseUrl =
    kind === 'local' ? presets['local']!.baseUrl : (settings?.baseUrl ?? fromEnvironment(variables.baseUrl) ?? usual);
  if (baseUrl === undefined) throw missingAddress();
  if (kind !== 'local' && !isCallable(baseUrl)) {
    throw new AgonError(
      'bad-base-url',
      `The address of ${name} is not an http or https URL without a user name.`,
      `Correct ${variables.baseUrl}, or providers.${name}.baseUrl in the configuration; credentials go into the ` +
        'key or the headers.',
    );
  }
  const apiKey = settings?.apiKey ?? fromEnvironment(variables.key);
  const needsKey =
    (kind !== 'openai-compatible' && kind !== 'local') || (preset?.keyed === true && baseUrl === preset.baseUrl);
  if (apiKey === undefined && needsKey) {
    throw new AgonError(
      'missing-key',
      `There is no API key for ${name}.`,
      `Set the environment variable ${variables.key}, or providers.${name}.apiKey in the configuration.`,
    );
  }
  return {
    name,
    kind,
    baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''),
    apiKey,
    headers: settings?.headers ?? {},
    apiVersion: settings?.apiVersion ?? (kind === 'azure' ? fromEnvironment(`${prefix}_API_VERSION`) : undefined),
    structuredOutputs: settings?.structuredOutputs ?? true,
    local: preset?.local ?? kind === 'local',
    trust: decideTrust(baseUrl, settings),
    variables,
  };

  function fromEnvironment(variable: string): string | undefined {
    return environment[variable]?.trim() || undefined;
  }

  function azureUrl(): string | undefined {
    const resource = settings?.resourceName ?? fromEnvironment(`${prefix}_RESOURCE_NAME`);
    const dated = isDated(settings?.apiVersion ?? fromEnvironment(`${prefix}_API_VERSION`));
    return resource && `https://${resource}.openai.azure.com/openai${dated ? '' : '/v1'}`;
  }

  function missingAddress(): AgonError {
    if (kind === 'azure') {
      return new AgonError(
        'missing-base-url',
        `The address of ${name} is not known.`,
        `Set ${prefix}_RESOURCE_NAME, or providers.${name}.resourceName or .baseUrl in the configuration.`,
      );
    }
    return new AgonError(
      'unknown-provider',
      `There is no provider "${name}".`,
      `Use one of ${Object.keys(presets).join(', ')}, or give its address: providers.${name}.baseUrl in the ` +
        'configuration, ' +
        `or ${variables.baseUrl} (any OpenAI-compatible URL).`,
    );
  }
}

/** Whether a URL can be called, and be shown: one that carries credentials can be neither. */
function isCallable(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

/** Loads the provider's SDK, and with it the one model. Nothing is loaded before the first call. */
export async function loadModel(
  provider: Provider,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<ProviderModel> {
  const { name, baseUrl: baseURL, apiKey, headers } = provider;
  switch (provider.kind) {
    case 'openai':
    case 'azure':
      // Chat completions, not the SDK's default of the Responses API: every gateway that speaks OpenAI's language at
      // another base URL knows it, it keeps no state, and we use nothing that only the other one has.
      return (await loadOpenAi(provider, model, fetch)).chat(model);
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ baseURL, apiKey, headers, fetch })(model);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, headers, fetch })(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      // Without supportsStructuredOutputs the SDK drops the schema silently; without includeUsage streams have no
      // usage.
      return createOpenAICompatible({
        name,
        baseURL,
        apiKey,
        headers,
        fetch,
        supportsStructuredOutputs: true,
        includeUsage: true,
      })(model);
    }
    case 'local':
      throw new Error('unreachable: a model in this process is opened by the pool');
  }
}

/** The same for a model that embeds. */
export async function loadEmbeddingModel(
  provider: Provider,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<EmbeddingModel> {
  const { name, baseUrl: baseURL, apiKey, headers } = provider;
  switch (provider.kind) {
    case 'openai':
    case 'azure':
      return (await loadOpenAi(provider, model, fetch)).embedding(model);
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ baseURL, apiKey, headers, fetch }).embedding(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return createOpenAICompatible({ name, baseURL, apiKey, headers, fetch }).embeddingModel(model);
    }
    case 'anthropic':
    case 'local':
      throw new AgonError(
        'no-embeddings',
        `${name} has no embedding models.`,
        'Name one of OpenAI, Google, Azure or an OpenAI-compatible server, or leave `embedding` out: the guard ' +
          'model embeds too.',
      );
  }
}

/** Azure, too: @ai-sdk/azure is pinned to an older copy of the OpenAI SDK, which drops a model's refusal. */
async function loadOpenAi(provider: Provider, model: string, fetch: typeof globalThis.fetch) {
  const { name, baseUrl, apiKey, headers, apiVersion } = provider;
  const { createOpenAI } = await import('@ai-sdk/openai');
  if (provider.kind !== 'azure') return createOpenAI({ baseURL: baseUrl, apiKey, headers, fetch });
  const baseURL = isDated(apiVersion) ? `${baseUrl}/deployments/${model}` : baseUrl;
  return createOpenAI({ name, baseURL, apiKey, headers, fetch: azureFetch(provider, fetch) });
}

/** The v1 API of Azure is OpenAI's; older, dated versions are addressed by deployment. */
function isDated(apiVersion: string | undefined): apiVersion is string {
  return apiVersion !== undefined && /^\d/.test(apiVersion);
}

/** Azure takes the key in a header of its own, and a dated API version in the query. */
function azureFetch(
  { apiKey, apiVersion, headers: own }: Provider,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (isDated(apiVersion)) url.searchParams.set('api-version', apiVersion);
    const headers = new Headers(init?.headers);
    headers.delete('authorization');
    if (apiKey !== undefined) headers.set('api-key', apiKey);
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    return fetch(url, { ...init, headers });
  };
}
