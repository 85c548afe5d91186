import { noUsage, type Reasoner } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { boundInputTokens, estimateInputTokens, layOutMessages } from '../calls/lay-out-prompt.ts';
import { createLimiter, type Limits } from '../calls/limiter.ts';
import { makeSentSchema } from '../calls/sent-schema.ts';
import { createModel, parseModelName, type Model } from '../providers/model.ts';
import type { Price, TokenCount } from '../providers/prices.ts';
import { resolveProvider, type Environment } from '../providers/resolve-provider.ts';
import { resolveSettings, type LlmSettings } from '../providers/settings.ts';

/** A call that a model would have been sent. */
export interface MeteredCall {
  model: string;
  seat: string;
  role: string;
  /** How many entries it could see: calls of an item that see as many are made at once. */
  heard: number;
  /** As the limits per minute guess it. */
  inputTokens: number;
  maxOutputTokens: number;
  /** Room for thoughts, on top of the longest answer. */
  thinkingTokens: number;
  /** What a budget sets aside for it. */
  worst: TokenCount;
}

/** On what terms a model is called. */
export interface ModelTerms {
  price: Price | null;
  limits: Limits;
}

export interface MeteredPoolOptions {
  settings: LlmSettings;
  environment?: Environment;
  /** Who answers in the models' place. */
  standIn: Reasoner;
  onCall(call: MeteredCall): void;
}

/** A pool that calls no model: each conversation is measured and answered by a stand-in. It needs no key. */
export function createMeteredPool({ settings: given, environment = process.env, standIn, onCall }: MeteredPoolOptions) {
  const settings = resolveSettings(given);
  const models = new Map<string, { model: Model; limits: Limits }>();

  function known(name: string) {
    let entry = models.get(name);
    if (!entry) {
      const { provider, model: id } = parseModelName(name);
      const resolved = resolveProvider(
        provider,
        { apiKey: 'never-sent', ...settings.providers[provider] },
        environment,
      );
      let limits!: Limits;
      const limiter = (own: Limits) => createLimiter((limits = own));
      const model = createModel(name, id, resolved, settings, {
        redact: (text) => text,
        fetch: refuseCall,
        telemetry: refuseCall,
        limiter,
        environment,
      });
      models.set(name, (entry = { model, limits }));
    }
    return entry;
  }

  return {
    check(names: readonly string[]) {
      for (const name of names) known(name).model.fallbacks.forEach(known);
    },
    forItem: () => (name: string) => createMeteredReasoner(known(name).model, standIn, onCall),
    embedder(): never {
      throw new AgonError('no-embeddings', 'An estimate calls no embedding model.', 'Leave `embedding` out.');
    },
    transcriber(): never {
      throw new AgonError(
        'no-transcription',
        'An estimate calls no transcription model.',
        'Leave `moderation.transcription` out, or name a part.',
      );
    },
    spent: () => noUsage,
    terms(name: string): ModelTerms {
      const { model, limits } = known(name);
      return { price: model.price, limits };
    },
  };
}

function createMeteredReasoner(model: Model, standIn: Reasoner, onCall: MeteredPoolOptions['onCall']): Reasoner {
  return {
    id: model.name,
    fingerprint: `metered:${model.name}`,
    vision: model.vision,
    async answer(role, question, options) {
      const schema = makeSentSchema(role.schema);
      const conversation = layOutMessages(role.prompt(question), {
        correction: question.correction,
        schemaText: model.structured ? undefined : schema.text,
        vision: model.vision,
      });
      const schemaText = model.structured ? schema.text : '';
      const { maxOutputTokens } = role;
      const { thinkingTokens } = model;
      const answer = await standIn.answer(role, question, options);
      onCall({
        model: model.name,
        seat: question.seat,
        role: role.id,
        heard: question.transcript.length,
        inputTokens: estimateInputTokens(conversation, schemaText),
        maxOutputTokens,
        thinkingTokens,
        worst: {
          inputTokens: boundInputTokens(conversation, schemaText),
          outputTokens: maxOutputTokens + thinkingTokens,
          cachedTokens: 0,
        },
      });
      return { ...answer, model: model.name };
    },
  };
}

function refuseCall(): Promise<never> {
  return Promise.reject(new Error('unreachable: a metered model is never called'));
}
