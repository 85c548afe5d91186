import type { TelemetryOptions } from 'ai';
import { addUsage, noUsage, type Reasoner, type Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { createFolderCache, type ModelAnswerCache } from './calls/answer-cache.ts';
import type { CallResources } from './calls/ask-model.ts';
import { createAccount, type Account, type CallControl } from './calls/budget.ts';
import { createClassifier, type Classifier } from './models/classifier.ts';
import {
  contentSafetyName,
  contentSafetyPrice,
  contentSafetyVersion,
  createContentSafety,
  resolveContentSafety,
  type ContentSafety,
} from './models/content-safety.ts';
import { createEmbedder, type TextEmbedder } from './models/embedder.ts';
import { createLlmReasoner } from './models/llm-reasoner.ts';
import { createModerationEndpoint, type ModerationEndpoint } from './models/moderation-endpoint.ts';
import { createTranscriber, type Transcriber } from './models/transcriber.ts';
import { createTarget, type Target, type TargetOptions } from './models/target.ts';
import { createHttpFetch } from './providers/http-fetch.ts';
import { createModel, parseModelName, type Model } from './providers/model.ts';
import { createRedact, createRedactingFetch, findHeaderSecrets, type Redact } from './providers/redact.ts';
import type { ProviderTrust } from './providers/provider-trust.ts';
import { resolveProvider, type Environment, type Provider } from './providers/resolve-provider.ts';
import { resolveSettings, type LlmSettings, type ResolvedSettings } from './providers/settings.ts';
import { loadTelemetry, noTelemetry } from './providers/telemetry.ts';

/** How providers are reached: keys that they echo are taken out of what they say. */
interface Reach {
  redact: Redact;
  fetch: typeof globalThis.fetch;
}

/** All models of an installation: their limits, their cache, and the budget of a run. */
export interface LlmPool {
  /** Throws an AgonError (`unknown-provider`, `missing-key`, `price-unknown`, …) for a model that cannot be called. */
  check(models: readonly string[]): void;
  /** The reasoners of one item: they share limits, cache and run budget, and have an item budget of their own. */
  forItem(): (model: string) => Reasoner;
  /** The same pool with another budget for an item. */
  withItemBudget(usd: number): LlmPool;
  /** A model under test; each conversation has an item budget of its own. Its fallbacks are left alone. */
  target(model: string, options?: TargetOptions): Target;
  /** A model that was trained to sort texts; its fallbacks are left alone. */
  classifier(model: string): Classifier;
  /** OpenAI's moderation endpoint: `openai:omni-moderation-latest`. */
  moderationEndpoint(model: string): ModerationEndpoint;
  /** Azure AI Content Safety. */
  contentSafety(): ContentSafety;
  /** A model that embeds texts. */
  embedder(model: string): TextEmbedder;
  /** A model that writes down what is said. */
  transcriber(model: string): Transcriber;
  /** What the provider of a model is trusted with. */
  trust(model: string): ProviderTrust;
  /** What the whole pool has spent so far. */
  spent(): Usage;
  /** Lets go of the models that are in memory. */
  close(): Promise<void>;
}

/**
 * @example
 * const pool = createLlmPool({ models: { 'openai:gpt-4o-mini': { fallbacks: ['ollama:llama3.2'] } } });
 * const reasoner = pool.forItem()('openai:gpt-4o-mini');
 */
export function createLlmPool(
  given: LlmSettings,
  environment: Environment = process.env,
  inLedger: ModelAnswerCache | null = null,
  control: CallControl = {},
): LlmPool {
  const settings = resolveSettings(given);
  const { budget } = settings;
  const cache = openCache(settings.cache, inLedger);
  const providers = new Map<string, Provider>();
  const models = new Map<string, Model>();
  let reach: Reach | undefined;
  let run: Account | undefined;
  let telemetry: Promise<TelemetryOptions> | undefined;
  let spent = noUsage;

  /** Made with the first model: who judges with Agon's own needs none of it. */
  function openReach(): Reach {
    if (!reach) {
      const redact = createRedact(collectSecrets(settings, environment));
      reach = { redact, fetch: createRedactingFetch(redact, createHttpFetch(environment)) };
    }
    return reach;
  }

  function providerOf(name: string): Provider {
    let provider = providers.get(name);
    if (!provider) providers.set(name, (provider = resolveProvider(name, settings.providers[name], environment)));
    return provider;
  }

  function modelOf(name: string): Model {
    let model = models.get(name);
    if (!model) {
      const { provider, model: id } = parseModelName(name);
      model = createModel(name, id, providerOf(provider), settings, sharedWith(name));
      if (model.price === null && (budget.itemUsd !== undefined || budget.runUsd !== undefined))
        throw makePriceError(name);
      models.set(name, model);
    }
    return model;
  }

  function sharedWith(name: string): Parameters<typeof createModel>[4] {
    return {
      ...openReach(),
      telemetry: () => (telemetry ??= startTelemetry()),
      environment,
      limiter: control.limiter && ((limits) => control.limiter!(name, limits)),
    };
  }

  function contentSafetyModel(): Model {
    const name = `${contentSafetyName}:${contentSafetyVersion}`;
    let model = models.get(name);
    if (!model) {
      const listed = {
        ...settings,
        models: { ...settings.models, [name]: { price: contentSafetyPrice, ...settings.models[name] } },
      };
      model = createModel(
        name,
        contentSafetyVersion,
        resolveContentSafety(settings.providers[contentSafetyName], environment),
        listed,
        sharedWith(name),
      );
      models.set(name, model);
    }
    return model;
  }

  function startTelemetry(): Promise<TelemetryOptions> {
    return settings.telemetry
      ? loadTelemetry(settings.telemetry.content, openReach().redact)
      : Promise.resolve(noTelemetry);
  }

  function openItemResources(usd = budget.itemUsd): CallResources {
    const item = createAccount({ usd, tokens: budget.itemTokens });
    run ??= createAccount({ usd: budget.runUsd, tokens: budget.runTokens });
    return {
      accounts: control.account ? [item] : [item, run],
      sharedAccount: control.account ?? null,
      cache,
      spend(usage) {
        spent = addUsage(spent, usage);
      },
    };
  }

  /** The reasoners of an item, whose accounts are opened with the first of them. */
  function reasonersOf(open: () => CallResources): (name: string) => Reasoner {
    let resources: CallResources | undefined;
    return (name) => {
      const model = modelOf(name);
      return createLlmReasoner(model, model.fallbacks.map(modelOf), (resources ??= open()));
    };
  }

  const pool: LlmPool = {
    check(names) {
      for (const name of names) modelOf(name).fallbacks.forEach(modelOf);
    },
    forItem() {
      return reasonersOf(() => openItemResources());
    },
    withItemBudget: (usd) => ({
      ...pool,
      check(names) {
        pool.check(names);
        for (const name of names.flatMap((one) => [one, ...modelOf(one).fallbacks]))
          if (modelOf(name).price === null) throw makePriceError(name);
      },
      forItem() {
        return reasonersOf(() => openItemResources(usd));
      },
    }),
    target: (name, options) => createTarget(modelOf(name), () => openItemResources(), options),
    classifier: (name) => createClassifier(modelOf(name), openReach().fetch, () => openItemResources()),
    moderationEndpoint: (name) => createModerationEndpoint(modelOf(name), openReach().fetch, () => openItemResources()),
    contentSafety: () => createContentSafety(contentSafetyModel(), openReach().fetch, () => openItemResources()),
    embedder: (name) =>
      createEmbedder(modelOf(name), openReach().fetch, (usage) => {
        spent = addUsage(spent, usage);
      }),
    transcriber: (name) => createTranscriber(modelOf(name), openReach().fetch, () => openItemResources()),
    trust: (name) => modelOf(name).provider.trust,
    spent: () => spent,
    async close() {
      await Promise.all([...models.values()].map((model) => model.close()));
    },
  };
  return pool;
}

function collectSecrets(settings: ResolvedSettings, environment: Environment): string[] {
  const configured = Object.values(settings.providers).flatMap(({ apiKey = '', headers = {} }) => [
    apiKey,
    ...findHeaderSecrets(headers),
  ]);
  const variables = Object.entries(environment).filter(
    ([name]) => name.endsWith('_API_KEY') || name === 'AZURE_CONTENT_SAFETY_KEY',
  );
  return [...configured, ...variables.map(([, value]) => value?.trim() ?? '')];
}

function makePriceError(name: string): AgonError {
  return new AgonError(
    'price-unknown',
    `There is a budget in dollars, but the price of ${name} is not known.`,
    `Set models["${name}"].price to { input, output } in US dollars per million tokens, or limit tokens instead.`,
  );
}

function openCache(setting: ResolvedSettings['cache'], inLedger: ModelAnswerCache | null): ModelAnswerCache | null {
  if (setting === false) return null;
  if (setting !== 'ledger') return createFolderCache(setting.directory);
  if (inLedger) return inLedger;
  throw new AgonError('no-ledger', 'Answers are to be cached in the ledger, and there is none here.', {
    library: 'Name a ledger, or a folder for the cache.',
    cli: 'Name a ledger with --ledger or AGON_LEDGER, or give --cache a folder.',
  });
}
