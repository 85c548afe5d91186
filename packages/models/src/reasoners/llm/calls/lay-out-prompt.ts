import type { Correction, Prompt } from '@agonhq/engine/debate';

/** A prompt as it is sent: the system message and what follows it. */
export interface Conversation {
  instructions: string;
  messages: LaidOutMessage[];
}

export type LaidOutMessage = { role: 'user'; content: string | MessagePart[] } | { role: 'assistant'; content: string };
export type MessagePart = { type: 'text'; text: string } | { type: 'file'; mediaType: string; data: Uint8Array };

/** A message of plain text, whoever says it. */
export interface PlainMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

export function fromMessages(messages: readonly PlainMessage[]): Conversation {
  return {
    instructions: messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n'),
    messages: messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, content }])),
  };
}

interface Layout {
  correction?: Correction;
  /** The answer's schema, for a model that cannot be given one: it goes into the text. */
  schemaText?: string;
  /** Whether the model can look at attachments. */
  vision: boolean;
  /** Whether the parts of the prompt stay apart; joined, they are one text. */
  inParts?: boolean;
}

/** One user message: case file, images, transcript, task. What seats share comes first, for the prefix cache. */
export function layOutMessages(
  prompt: Prompt,
  { correction, schemaText, vision, inParts = false }: Layout,
): Conversation {
  const task = schemaText === undefined ? prompt.task : `${prompt.task}\n\n${describeSchema(schemaText)}`;
  const images = vision ? (prompt.attachments ?? []) : [];
  const content =
    images.length === 0 && !inParts
      ? joinParagraphs(prompt.caseFile, prompt.transcript, task)
      : [
          { type: 'text' as const, text: prompt.caseFile },
          ...images.map(({ mediaType, data }) => ({ type: 'file' as const, mediaType, data })),
          ...(inParts ? [prompt.transcript, task] : [joinParagraphs(prompt.transcript, task)]).map((text) => ({
            type: 'text' as const,
            text,
          })),
        ];
  const conversation = { instructions: prompt.instructions, messages: [{ role: 'user' as const, content }] };
  if (correction === undefined) return conversation;
  const previous = typeof correction.answer === 'string' ? correction.answer : JSON.stringify(correction.answer);
  return appendReply(conversation, previous, correction.problem);
}

/** The conversation after an answer and what there is to say against it. */
export function appendReply(conversation: Conversation, answer: string, problem: string): Conversation {
  return {
    ...conversation,
    messages: [
      ...conversation.messages,
      // Providers reject an empty message.
      { role: 'assistant', content: answer.trim() === '' ? '(no answer)' : answer },
      { role: 'user', content: problem },
    ],
  };
}

function joinParagraphs(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function describeSchema(schemaText: string): string {
  return `Answer with one JSON object that follows this JSON schema, and with nothing else:\n${schemaText}`;
}

/** The most tokens that any provider we know charges for one image. */
const tokensPerImage = 26_000;
/** Role markers around each message, and what a provider adds of its own to enforce a schema. */
const tokensPerMessage = 64;
const tokensOfFrame = 512;

/**
 * An upper bound of a conversation's input tokens. Byte-level tokenizers start from single bytes and only ever merge
 * them, so a text never has more tokens than UTF-8 bytes.
 */
export function boundInputTokens(conversation: Conversation, schemaText: string): number {
  const { bytes, images } = measureConversation(conversation, schemaText);
  return bytes + images * tokensPerImage + (conversation.messages.length + 1) * tokensPerMessage + tokensOfFrame;
}

/** A fair guess of a conversation's input tokens, for limits per minute. */
export function estimateInputTokens(conversation: Conversation, schemaText: string): number {
  const { bytes, images } = measureConversation(conversation, schemaText);
  return Math.ceil(bytes / 4) + images * 1_000;
}

function measureConversation(conversation: Conversation, schemaText: string): { bytes: number; images: number } {
  let bytes = Buffer.byteLength(conversation.instructions) + Buffer.byteLength(schemaText);
  let images = 0;
  for (const { content } of conversation.messages) {
    if (typeof content === 'string') bytes += Buffer.byteLength(content);
    else {
      for (const part of content) {
        if (part.type === 'text') bytes += Buffer.byteLength(part.text);
        else images += 1;
      }
    }
  }
  return { bytes, images };
}
