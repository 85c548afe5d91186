import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { canonicalJson, hashOf } from '@agonhq/engine/hash';
import type { CallResources, Spent } from '../calls/ask-model.ts';
import { askQuestion, callWith, type NotAnswered, type RawCallOptions, type RawReply } from '../calls/ask-once.ts';
import type { Mask } from '@agonhq/engine/personal-data';
import { fromMessages } from '../calls/lay-out-prompt.ts';
import { maskOfText, tellPersonal } from '../calls/mask-request.ts';
import type { Model } from '../providers/model.ts';
import { postJson } from '../providers/post-json.ts';
import type { Provider } from '../providers/resolve-provider.ts';
import {
  alternativeSchema,
  makeCompletionRequest,
  readCompletion,
  type CompletionQuestion,
  type TokenPlace,
} from './completion.ts';

export interface ClassifierOptions {
  maxOutputTokens: number;
  /** Asks how likely other words were. */
  logprobs?: boolean;
  signal: AbortSignal;
}

/** `places`: what could have been said at the first places of the answer; null where the server does not tell. */
export type ClassifierAnswer = Spent & { outcome: 'answered'; text: string; places: readonly TokenPlace[] | null };
export type ClassifierReply = ClassifierAnswer | NotAnswered;

/** A model trained to sort texts: it gets a conversation or its own prompt, and its words are handed over. */
export interface Classifier {
  /** `vllm:meta-llama/Llama-Guard-3-8B`. */
  id: string;
  /** Everything besides the question that may change the answer. */
  fingerprint: string;
  /** Whether its API takes whole prompts. */
  wholePrompts: boolean;
  /** A mistake of the user's (a wrong key, an unknown model) is thrown as an AgonError. */
  ask: Ask;
  /** The same for several questions about one item, whose budget they share. */
  forItem(): Ask;
}

type Ask = (question: CompletionQuestion, options: ClassifierOptions) => Promise<ClassifierReply>;

const keptSchema = z.object({ text: z.string(), places: z.array(z.array(alternativeSchema)).nullable() });

export function createClassifier(
  model: Model,
  fetch: typeof globalThis.fetch,
  resources: () => CallResources,
): Classifier {
  const { provider } = model;
  const direct = provider.kind === 'openai' || provider.kind === 'openai-compatible';
  let withoutLogprobs = false;

  async function post(
    question: CompletionQuestion,
    logprobs: boolean,
    terms: RawCallOptions,
  ): Promise<ReturnType<typeof readCompletion>> {
    const { path, body } = makeCompletionRequest(question, { model: model.model, logprobs }, terms);
    return readCompletion(
      await postJson(fetch, `${provider.baseUrl}${path}`, {
        headers: makeHeaders(provider),
        body: { ...body, ...makeProviderFields(provider, question) },
        signal: terms.signal,
      }),
    );
  }

  async function postAsFarAsItGoes(
    question: CompletionQuestion,
    wanted: boolean,
    terms: RawCallOptions,
  ): Promise<ReturnType<typeof readCompletion>> {
    const logprobs = wanted && !withoutLogprobs;
    try {
      return await post(question, logprobs, terms);
    } catch (error) {
      if (!logprobs || !rejectsLogprobs(error)) throw error;
      withoutLogprobs = true;
      return post(question, false, terms);
    }
  }

  const asking = (own: CallResources): Ask =>
    async function ask(given, { maxOutputTokens, logprobs = false, signal }) {
      const mask = maskOfText();
      const question = maskQuestion(given, model, mask);
      if ('prompt' in question && !direct) throw makeNoCompletionsError(provider);
      let places: readonly TokenPlace[] | null = null;
      const call = async (terms: RawCallOptions): Promise<RawReply> => {
        const reply = await postAsFarAsItGoes(question, logprobs, terms);
        places = reply.places;
        return reply;
      };
      const temperature = 0;
      const reply = await askQuestion(
        {
          model: direct ? callWith(model, call) : model,
          request: {
            conversation: () =>
              fromMessages('prompt' in question ? [{ role: 'user', content: question.prompt }] : question.messages),
            maxOutputTokens,
            temperature,
            roleId: 'classifier',
            why: 'screening',
            personal: () => tellPersonal(model, mask),
          },
          cacheKey: hashOf({
            ...model.identity,
            classifier: question,
            maxOutputTokens,
            logprobs,
            temperature: model.temperatureFor(temperature) ?? null,
          }),
          read: (text): Pick<ClassifierAnswer, 'text' | 'places'> => ({ text, places }),
          recall: (kept) => keptSchema.safeParse(kept).data,
          signal,
        },
        own,
      );
      if (reply.outcome === 'failed') return reply;
      const { answer, ...spent } = reply;
      return { ...spent, ...answer };
    };

  return {
    id: model.name,
    fingerprint: canonicalJson(model.identity),
    wholePrompts: direct,
    ask: (question, options) => asking(resources())(question, options),
    forItem: () => asking(resources()),
  };
}

/** What the provider may get of a question. */
function maskQuestion(question: CompletionQuestion, { masks }: Model, mask: Mask): CompletionQuestion {
  const masked =
    'prompt' in question
      ? { prompt: mask.mask(question.prompt) }
      : { messages: question.messages.map(({ role, content }) => ({ role, content: mask.mask(content) })) };
  return masks ? masked : question;
}

export function makeHeaders({ apiKey, headers }: Provider): Record<string, string> {
  return { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers };
}

/** vLLM begins every prompt with its own first token, one that is there already too. */
function makeProviderFields({ name }: Provider, question: CompletionQuestion): object {
  return name === 'vllm' && 'prompt' in question && question.prompt.startsWith('<|begin_of_text|>')
    ? { add_special_tokens: false }
    : {};
}

function rejectsLogprobs(error: unknown): boolean {
  const { statusCode, message, responseBody } = error as {
    statusCode?: number;
    message?: string;
    responseBody?: string;
  };
  return (
    (statusCode === 400 || statusCode === 422 || statusCode === 501) && /log_?probs/i.test(`${message} ${responseBody}`)
  );
}

function makeNoCompletionsError({ name, kind }: Provider): AgonError {
  return new AgonError(
    'no-completions',
    `${name} takes no whole prompts (its API is that of ${kind}).`,
    'Serve the model over an OpenAI-compatible URL with /v1/completions, or send it as a conversation ' +
      '(?transport=chat).',
  );
}
