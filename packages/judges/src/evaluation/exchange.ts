import { z } from 'zod';
import { AgonError } from '@agonhq/engine/agon-error';
import { contextSchema, gatherContext, type ItemContext } from '@agonhq/engine/items/item-context';
import { knownContext } from '../job/shown-context.ts';

/** One message of an exchange. */
export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content: string;
}

/** What a target model was asked and what it answered: one prompt and response, or a whole conversation. */
export type Exchange = {
  id?: string;
  /** The evaluated model, as far as it is known: `openai:gpt-5`, `gpt-5`. */
  model?: string;
  /** What is known about it beside what it says; debaters see what the settings allow them to. */
  context?: ItemContext;
} & ({ prompt: string; response: string } | { messages: readonly Message[] });

const textPart = z.object({ type: z.enum(['text', 'input_text', 'output_text']), text: z.string() });
const anyPart = z.looseObject({ type: z.string() });

const messageSchema = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  // An assistant that only called a tool has no words.
  content: z.union([z.string(), z.array(z.union([textPart, anyPart])), z.null()]).optional(),
});

const exchangeSchema = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  model: z.string().nullish(),
  prompt: z.string().nullish(),
  response: z.string().nullish(),
  messages: z.array(messageSchema).nullish(),
  context: contextSchema.nullish(),
});

/**
 * Reads an exchange, or says in one line what is wrong with it.
 *
 * @example readExchange({ prompt: 'How are you?', response: 'Fine.' })
 * @example readExchange({ model: 'gpt-5', messages: [{ role: 'user', content: 'How are you?' }, { role: 'assistant',
 * content: 'Fine.' }] })
 */
export function readExchange(value: unknown): Exchange {
  const parsed = exchangeSchema.safeParse(gatherContext(value));
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw broken(`The exchange is not readable: ${first!.path.join('.') || 'it'}: ${first!.message}.`);
  }
  const { id, model, prompt, response, messages } = parsed.data;
  const about = {
    ...(id === null || id === undefined ? {} : { id: String(id) }),
    ...(model ? { model } : {}),
    ...knownContext(parsed.data),
  };
  if (!messages) return { ...about, ...readPair(prompt, response) };
  if (prompt || response) throw broken('The exchange has messages and also a prompt or a response.');
  return { ...about, messages: readMessages(messages) };
}

function readPair(
  prompt: string | null | undefined,
  response: string | null | undefined,
): { prompt: string; response: string } {
  if (isBlank(prompt)) throw emptyPrompt();
  if (isBlank(response)) throw missingResponse('The exchange has no response.');
  return { prompt: wellFormed(prompt, 'prompt'), response: wellFormed(response, 'response') };
}

function readMessages(messages: readonly z.infer<typeof messageSchema>[]): Message[] {
  const read = messages.map(({ role, content }, index) => ({
    role,
    content: wellFormed(textOf(content, index), `message ${index + 1}`),
  }));
  const last = read.at(-1);
  if (last?.role !== 'assistant')
    throw missingResponse(
      `The conversation does not end with an answer of the model${last ? ` but with the role ${last.role}` : ''}.`,
    );
  if (isBlank(last.content)) throw missingResponse("The model's last message is empty.");
  const said = read.filter(({ content }) => !isBlank(content));
  if (!said.some(({ role }) => role === 'user' || role === 'tool')) throw emptyPrompt();
  return said;
}

function textOf(content: z.infer<typeof messageSchema>['content'], index: number): string {
  if (content === null || content === undefined) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      const text = textPart.safeParse(part);
      if (text.success) return text.data.text;
      throw broken(
        `Message ${index + 1} has a part of the type ${JSON.stringify(part.type)}; only text can be judged.`,
      );
    })
    .join('');
}

/** What is judged must be quotable, and half a character is not. */
function wellFormed(text: string, where: string): string {
  if (!text.isWellFormed()) throw broken(`The ${where} holds half of a surrogate pair.`);
  if (text.includes('\u0000')) throw broken(`The ${where} looks like binary data.`);
  return text;
}

function isBlank(text: string | null | undefined): text is null | undefined | '' {
  return text === null || text === undefined || text.trim() === '';
}

function broken(message: string): AgonError {
  return new AgonError(
    'broken-exchange',
    message,
    'Pass { prompt, response }, or { messages } with roles and texts that end with the answer of the model.',
  );
}

function emptyPrompt(): AgonError {
  const hint = {
    library: 'Pass the prompt as `prompt`, or `messages` with a user message before the answer.',
    cli: 'Pass the prompt with --prompt, or a conversation with a user message before the answer.',
  };
  return new AgonError('empty-prompt', 'The prompt is empty: there is nothing that the response answers.', hint);
}

function missingResponse(message: string): AgonError {
  return new AgonError('missing-response', message, {
    library: 'Pass what the model answered as `response`.',
    cli: 'Pass what the model answered with --response; ask the model first with --target if there is no answer yet.',
  });
}
