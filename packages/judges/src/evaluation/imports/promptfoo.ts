import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';

/* What `promptfoo eval -o results.json` (or .jsonl) writes. */

const result = z.looseObject({
  id: z.string().nullish(),
  testIdx: z.number().nullish(),
  promptIdx: z.number().nullish(),
  prompt: z.looseObject({ raw: z.string() }),
  provider: z.union([z.string(), z.looseObject({ id: z.string().nullish() })]).nullish(),
  response: z.looseObject({ output: z.unknown(), error: z.string().nullish() }).nullish(),
  error: z.string().nullish(),
});

const document = z.looseObject({
  results: z.union([z.array(z.unknown()), z.looseObject({ results: z.array(z.unknown()) })]),
});

/** The results of a document; null when it is none of promptfoo's. */
export function resultsOfPromptfoo(value: unknown): unknown[] | null {
  const read = document.safeParse(value);
  if (!read.success) return null;
  return Array.isArray(read.data.results) ? read.data.results : read.data.results.results;
}

/** A result as an exchange for `readExchange`, or undefined when the value is none. */
export function exchangeOfResult(value: unknown): object | undefined {
  const read = result.safeParse(value);
  if (!read.success) return undefined;
  const { id, testIdx, promptIdx, prompt, provider, response, error } = read.data;
  const output = response?.output;
  if (output === undefined || output === null || output === '') {
    // A failed assertion is an error too in promptfoo; only a result without an answer is one here.
    const why = response?.error ?? error ?? 'the output is empty';
    throw new AgonError(
      'failed-result',
      `The result holds no answer: ${why.slice(0, 200)}`,
      'Run it again in promptfoo; the others are judged.',
    );
  }
  const name =
    id ?? (typeof testIdx === 'number' && typeof promptIdx === 'number' ? `${testIdx}-${promptIdx}` : undefined);
  const model = modelOf(typeof provider === 'string' ? provider : provider?.id);
  const about = { ...(name === undefined ? {} : { id: name }), ...(model === undefined ? {} : { model }) };
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const chat = chatOf(prompt.raw);
  return chat
    ? { ...about, messages: [...chat, { role: 'assistant', content: text }] }
    : { ...about, prompt: prompt.raw, response: text };
}

/** `openai:chat:gpt-4o` says how it was called, too; here it is `openai:gpt-4o`. */
function modelOf(provider: string | null | undefined): string | undefined {
  return provider?.replace(/^([^:]+):(chat|messages|completion|responses|converse):/, '$1:') || undefined;
}

const chat = z.array(z.looseObject({ role: z.string(), content: z.unknown() })).min(1);

/** A prompt that is a list of chat messages in JSON. */
function chatOf(raw: string): object[] | null {
  if (!raw.trimStart().startsWith('[')) return null;
  try {
    const read = chat.safeParse(JSON.parse(raw));
    return read.success ? read.data.map(({ role, content }) => ({ role, content })) : null;
  } catch {
    return null; // A prompt that begins with a bracket.
  }
}
