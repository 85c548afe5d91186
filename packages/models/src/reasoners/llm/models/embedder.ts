import { noUsage, reportCall, type Usage } from '@agonhq/engine/debate';
import { AgonError } from '@agonhq/engine/agon-error';
import { describeDisclosure } from '../calls/ask-model.ts';
import { loadSdk } from '../calls/call-model.ts';
import { classifyError } from '../calls/classify-failure.ts';
import { maskOfText, tellPersonal } from '../calls/mask-request.ts';
import { hearRequest } from '../calls/sent-request.ts';
import type { Model } from '../providers/model.ts';
import { computeCost } from '../providers/prices.ts';
import { loadEmbeddingModel } from '../providers/resolve-provider.ts';

/** Who turns texts into vectors: an embedding model of a provider. */
export interface TextEmbedder {
  /** `openai:text-embedding-3-small`. */
  model: string;
  /** Null until the first vector was made. */
  readonly dimensions: number | null;
  embed(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
  embedMany(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
}

/** A mistake of the user's (a wrong key, an unknown model) is thrown as an AgonError, anything else as it is. */
export function createEmbedder(
  model: Model,
  fetch: typeof globalThis.fetch,
  spend: (usage: Usage) => void,
): TextEmbedder {
  const { provider, redact, limiter } = model;
  let loading: ReturnType<typeof loadEmbeddingModel> | undefined;
  let dimensions: number | null = null;

  async function embedMany(
    given: readonly string[],
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<Float32Array[]> {
    const texts = given.map((text) => (model.masks ? maskOfText().mask(text) : text));
    const within = AbortSignal.any([AbortSignal.timeout(model.timeoutMs), ...(signal ? [signal] : [])]);
    const slot = await limiter.acquire(Math.ceil(texts.join('').length / 4), within);
    let tokens: number | undefined;
    try {
      const { embedMany: embedAll } = await loadSdk();
      const { embeddings, usage } = await embedAll({
        model: await (loading ??= loadEmbeddingModel(provider, model.model, fetch)),
        values: [...texts],
        maxRetries: model.retries,
        abortSignal: within,
      });
      tokens = usage.tokens;
      spend({
        ...noUsage,
        calls: 1,
        inputTokens: tokens,
        costUsd: computeCost({ inputTokens: tokens, cachedTokens: 0, outputTokens: 0 }, model.price),
      });
      dimensions ??= embeddings[0]?.length ?? null;
      return embeddings.map((embedding) => Float32Array.from(embedding));
    } catch (error) {
      signal?.throwIfAborted();
      if (AgonError.is(error)) throw error;
      const failure = classifyError(error, { provider, model: model.name, redact });
      throw failure.kind === 'mistake' ? failure.error : new Error(failure.detail, { cause: error });
    } finally {
      slot.release(tokens);
    }
  }

  return {
    model: model.name,
    get dimensions() {
      return dimensions;
    },
    embedMany,
    async embed(text, options) {
      const mask = maskOfText();
      const masked = mask.mask(text);
      const sent = model.masks ? masked : text;
      const began = performance.now();
      let bytes: number | null = null;
      let problem: string | null = null;
      try {
        const [vector] = await hearRequest(
          () => embedMany([text], options),
          (request) => (bytes = request.bytes),
        );
        return vector!;
      } catch (error) {
        problem = error instanceof Error ? redact(error.message) : String(error);
        throw error;
      } finally {
        const messages = [{ role: 'user' as const, content: sent }];
        reportCall({
          model: model.name,
          why: 'embedding',
          attempt: 1,
          instructions: '',
          messages,
          schema: null,
          request: null,
          disclosure:
            bytes === null
              ? null
              : describeDisclosure(model, { personal: () => tellPersonal(model, mask) }, { messages }, bytes),
          reply: null,
          problem,
          cached: false,
          usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: null },
          latencyMs: performance.now() - began,
        });
      }
    },
  };
}
