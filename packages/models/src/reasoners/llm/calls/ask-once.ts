import { reportCall, type FailureReason } from '@agonhq/engine/debate';
import type { Model } from '../providers/model.ts';
import type { TokenCount } from '../providers/prices.ts';
import { openCacheEntry } from './answer-cache.ts';
import { askModel, openCallContext, type CallResources, type ModelRequest, type Spent } from './ask-model.ts';
import type { ProviderModel } from './call-model.ts';

/** No answer to read; for `refused` and `content-filter`, `said` is what there is of one. */
export type NotAnswered = Spent & { outcome: 'failed'; reason: FailureReason; detail: string; said: string };

export type OnceAnswer<Kept> = (Spent & { outcome: 'answered'; answer: Kept }) | NotAnswered;

export interface SingleQuestion<Kept> {
  /** As it is called: see `calledBy`. */
  model: Model;
  request: Pick<
    ModelRequest,
    'conversation' | 'maxOutputTokens' | 'temperature' | 'roleId' | 'why' | 'personal' | 'recordings'
  >;
  /** Everything that was sent, as one hash. */
  cacheKey: string;
  /** What is made of the answer's text, and kept. */
  read(text: string): Kept;
  /** What was kept, from its JSON; undefined where it is not to be trusted. */
  recall(kept: unknown): Kept | undefined;
  signal: AbortSignal;
}

/** Asks once under the pool's limits, retries, budgets and cache. A mistake of the user's is thrown as an AgonError. */
export async function askQuestion<Kept>(
  question: SingleQuestion<Kept>,
  resources: CallResources,
): Promise<OnceAnswer<Kept>> {
  const { model, signal } = question;
  const { context, spent, calls } = openCallContext(resources, signal);
  const memory = resources.cache && openCacheEntry(resources.cache, question.cacheKey, context);
  const recalled = recallAnswer(question, (await memory?.recall()) ?? null);
  if (recalled !== undefined) return { outcome: 'answered', answer: recalled, ...spent() };
  const attempted = await askModel(model, { ...question.request, schema: null, schemaName: '' }, context).finally(() =>
    calls.forEach(reportCall),
  );
  if ('failed' in attempted)
    return {
      outcome: 'failed',
      reason: attempted.failed,
      detail: attempted.detail,
      said: model.redact(attempted.said ?? ''),
      ...spent(),
    };
  const answer = question.read(attempted.reply.text);
  await memory?.keep(JSON.stringify(answer));
  return { outcome: 'answered', answer, ...spent() };
}

function recallAnswer<Kept>({ recall }: SingleQuestion<Kept>, kept: string | null): Kept | undefined {
  if (kept === null) return undefined;
  try {
    return recall(JSON.parse(kept));
  } catch {
    return undefined;
  }
}

/** Under what terms a raw call is made: what was learnt about the model is in them. */
export interface RawCallOptions {
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

/** The same model, limits and price with another way to call it, for what the SDK has no words for. */
export function callWith(model: Model, call: (terms: RawCallOptions) => Promise<RawReply>): Model {
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
