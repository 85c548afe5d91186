import { z } from 'zod';
import type { RawCallOptions, RawReply } from '../calls/ask-once.ts';
import type { PlainMessage } from '../calls/lay-out-prompt.ts';
import { makeUnreadableError } from '../providers/post-json.ts';

/** A token that was said, or could have been, and how likely it was. */
export const alternativeSchema = z.object({ token: z.string(), logprob: z.number() });
export type Alternative = z.infer<typeof alternativeSchema>;

/** What was said at one place of the answer, and then what else could have been, the likeliest first. */
export type TokenPlace = readonly Alternative[];

export type CompletionQuestion = { messages: readonly PlainMessage[] } | { prompt: string };

/** How many alternatives are asked for: as many as OpenAI gives, which asks fewer of its older API. */
const alternatives = { chat: 20, completions: 5 };
/** A verdict stands at the beginning of an answer. */
const placesKept = 8;

/** The request for an answer, in the words of OpenAI's chat completions or, for a whole prompt, of its completions. */
export function makeCompletionRequest(
  question: CompletionQuestion,
  { model, logprobs }: { model: string; logprobs: boolean },
  terms: RawCallOptions,
): { path: string; body: object } {
  const limit = terms.reasoning
    ? { max_completion_tokens: terms.maxOutputTokens }
    : { max_tokens: terms.maxOutputTokens };
  const common = { model, ...limit, ...(terms.temperature === undefined ? {} : { temperature: terms.temperature }) };
  if ('messages' in question) {
    return {
      path: '/chat/completions',
      body: {
        ...common,
        messages: question.messages,
        ...(logprobs ? { logprobs: true, top_logprobs: alternatives.chat } : {}),
      },
    };
  }
  return {
    path: '/completions',
    body: { ...common, prompt: question.prompt, ...(logprobs ? { logprobs: alternatives.completions } : {}) },
  };
}

const placesSchema = z.object({
  content: z.array(alternativeSchema.extend({ top_logprobs: z.array(alternativeSchema).nullish() })),
});
const columnsSchema = z.object({
  tokens: z.array(z.string()),
  token_logprobs: z.array(z.number().nullable()),
  top_logprobs: z.array(z.record(z.string(), z.number()).nullable()).nullish(),
});

const answerSchema = z.object({
  choices: z
    .array(
      z.object({
        text: z.string().nullish(),
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
        logprobs: z.unknown().optional(),
      }),
    )
    .min(1),
  usage: z
    .object({
      prompt_tokens: z.number(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});

/** Reads the answer of either API; `places` is null where the server gave no probabilities. */
export function readCompletion(body: unknown): RawReply & { places: readonly TokenPlace[] | null } {
  const parsed = answerSchema.safeParse(body);
  if (!parsed.success) throw makeUnreadableError('the body is no completion');
  const { choices, usage } = parsed.data;
  const { text, message, finish_reason: finish, logprobs } = choices[0]!;
  const refused = message?.refusal ? message.refusal : null;
  return {
    text: refused ?? message?.content ?? text ?? '',
    // A refusal has a plain `stop` and a field of its own.
    finish:
      refused !== null || finish === 'content_filter'
        ? 'content-filter'
        : finish === 'length'
          ? 'length'
          : finish === 'stop'
            ? 'stop'
            : 'other',
    ...(finish ? { rawFinish: finish } : {}),
    tokens: usage
      ? {
          inputTokens: usage.prompt_tokens,
          outputTokens: usage.completion_tokens ?? 0,
          cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
        }
      : null,
    places: readPlaces(logprobs),
  };
}

/** Servers answer either API in either form: a list of places, or columns. */
function readPlaces(logprobs: unknown): readonly TokenPlace[] | null {
  const places = placesSchema.safeParse(logprobs);
  if (places.success)
    return keepFirst(
      places.data.content.map(({ token, logprob, top_logprobs: top }) => makePlace({ token, logprob }, top ?? [])),
    );
  const columns = columnsSchema.safeParse(logprobs);
  if (!columns.success) return null;
  const { tokens, token_logprobs: own, top_logprobs: tops } = columns.data;
  return keepFirst(
    tokens.flatMap((token, index) => {
      const logprob = own[index];
      if (typeof logprob !== 'number') return [];
      return [
        makePlace(
          { token, logprob },
          Object.entries(tops?.[index] ?? {}).map(([other, chance]) => ({ token: other, logprob: chance })),
        ),
      ];
    }),
  );
}

function makePlace(said: Alternative, top: readonly Alternative[]): TokenPlace {
  const others = top.filter(({ token }) => token !== said.token).map(({ token, logprob }) => ({ token, logprob }));
  return [said, ...others.toSorted((a, b) => b.logprob - a.logprob)];
}

function keepFirst(places: readonly TokenPlace[]): readonly TokenPlace[] | null {
  return places.length === 0 ? null : places.slice(0, placesKept);
}
