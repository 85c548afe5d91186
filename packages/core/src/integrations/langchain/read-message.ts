import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { z } from 'zod';
import type { GuardChoices } from '../../guard/index.ts';

/** Which of the guard's options says whether a text is judged. */
type Kind = 'answers' | 'reasoning' | 'toolCalls' | 'toolResults';

/** What the guard reads of a message, and what nobody reads. */
export interface ReadMessage {
  texts: { kind: Kind; text: string }[];
  images: { data: Uint8Array<ArrayBuffer> }[];
  unread: string[];
}

/* The standard blocks of content, and what some providers send in their own. */
const blockSchema = z.union([
  z.object({ type: z.enum(['text', 'text-plain']), text: z.string() }).transform(({ text }) => say('answers', text)),
  z
    .object({ type: z.literal('reasoning'), reasoning: z.string() })
    .transform(({ reasoning }) => say('reasoning', reasoning)),
  z
    .object({ type: z.literal('thinking'), thinking: z.string() })
    .transform(({ thinking }) => say('reasoning', thinking)),
  z
    .object({ type: z.enum(['server_tool_call', 'server_tool_call_chunk']), args: z.unknown() })
    .transform(({ args }) => say('toolCalls', toText(args))),
  z
    .object({ type: z.literal('server_tool_call_result'), output: z.unknown() })
    .transform(({ output }) => say('toolResults', toText(output))),
  // They stand beside the content, whole.
  z.object({ type: z.enum(['tool_call', 'tool_call_chunk', 'invalid_tool_call']) }).transform(() => null),
  z
    .object({ type: z.literal('image'), data: z.union([z.string(), z.instanceof(Uint8Array)]) })
    .transform(({ data }) => ({
      image: typeof data === 'string' ? Buffer.from(data, 'base64') : new Uint8Array(data),
    })),
]);

const named = z.object({ type: z.string() });
const saidApart = z.object({ reasoning_content: z.string() });

/** All of a message, or of a chunk of one. */
export function readMessage(message: BaseMessage): ReadMessage {
  const read: ReadMessage = { texts: [], images: [], unread: [] };
  for (const block of message.contentBlocks) {
    const { data: known, success } = blockSchema.safeParse(block);
    if (!success) read.unread.push(named.safeParse(block).data?.type ?? 'content');
    else if (known && 'image' in known) read.images.push({ data: known.image });
    else if (known) read.texts.push(known);
  }
  const apart = saidApart.safeParse(message.additional_kwargs).data?.reasoning_content;
  if (apart !== undefined && !read.texts.some(({ kind }) => kind === 'reasoning'))
    read.texts.push(say('reasoning', apart));
  for (const args of listCalls(message)) read.texts.push(say('toolCalls', args));
  if (message.type === 'tool') for (const one of read.texts) one.kind = 'toolResults';
  return { ...read, texts: read.texts.filter(({ text }) => text !== '') };
}

/** The texts that the options have judged; what else there is of a message goes to `skip`. */
export function chooseTexts(
  { texts }: Pick<ReadMessage, 'texts'>,
  choices: GuardChoices,
  skip: (what: string) => void,
): ReadMessage['texts'] {
  for (const { kind } of texts) if (choices[kind] === 'skip') skip(skippedNames[kind]);
  return texts.filter(({ kind }) => choices[kind] === 'judge');
}

/** As the other adapters call them. */
const skippedNames: Record<Kind, string> = {
  answers: 'answer',
  reasoning: 'reasoning',
  toolCalls: 'tool-call',
  toolResults: 'tool-result',
};

const calls = z.object({ tool_calls: z.array(z.object({ args: z.unknown() })) });

function listCalls(message: BaseMessage): string[] {
  if (AIMessageChunk.isInstance(message) && (message.tool_call_chunks?.length ?? 0) > 0)
    return message.tool_call_chunks!.map(({ args }) => args ?? '');
  return (calls.safeParse(message).data?.tool_calls ?? []).map(({ args }) => toText(args));
}

function say(kind: Kind, text: string) {
  return { kind, text };
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}
