import type { ProviderModel } from './call.ts';
import type { Model } from './model.ts';
import type { TokenCount } from './prices.ts';

/** Under what terms a raw call is made: what was learnt about the model is in them. */
export interface RawTerms {
  maxOutputTokens: number | undefined;
  temperature: number | undefined;
  /** Whether the token limit goes by the name that OpenAI's reasoning models want. */
  reasoning: boolean;
  signal: AbortSignal | undefined;
}

export interface RawReply {
  text: string;
  finish: 'stop' | 'length' | 'content-filter' | 'other';
  rawFinish?: string;
  /** Null when the server did not say. */
  tokens: TokenCount | null;
}

/**
 * The same model with another way to call it, for what the SDK has no words for: its limits, its price and what was
 * learnt about it stay those of the model.
 */
export function calledBy(model: Model, call: (terms: RawTerms) => Promise<RawReply>): Model {
  const raw: ProviderModel = {
    specificationVersion: 'v4',
    provider: model.provider.name,
    modelId: model.model,
    supportedUrls: {},
    async doGenerate({ maxOutputTokens, temperature, providerOptions, abortSignal }) {
      const { text, finish, rawFinish, tokens } = await call({
        maxOutputTokens,
        temperature,
        reasoning: providerOptions?.['openai']?.['forceReasoning'] === true,
        signal: abortSignal,
      });
      return {
        content: [{ type: 'text', text }],
        finishReason: { unified: finish, raw: rawFinish },
        usage: {
          inputTokens: {
            total: tokens?.inputTokens,
            noCache: undefined,
            cacheRead: tokens?.cachedTokens,
            cacheWrite: undefined,
          },
          outputTokens: { total: tokens?.outputTokens, text: undefined, reasoning: undefined },
        },
        warnings: [],
      };
    },
    doStream: () => Promise.reject(new Error('unreachable: nobody listens to a raw call')),
  };
  return Object.create(model, { load: { value: () => Promise.resolve(raw) } }) as Model;
}
