import { generateText, jsonSchema, streamText, tool, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from 'vitest';
import { question } from '@agonhq/test/support/guard-contract.ts';
import { modelGuardContract, type SaidPart, type SaidParts } from '@agonhq/test/support/model-guard-contract.ts';
import type { Guard } from '../../guard/index.ts';
import { guardMiddleware } from './index.ts';
import type { GenerateResult, StreamPart } from './sdk-types.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const finishReason = { unified: 'stop', raw: 'stop' } as const;
const mediaType = 'application/pdf';

const nameKind = (part: SaidPart) => ('text' in part ? 'text' : 'reasoning' in part ? 'reasoning' : null);

/** The parts of a stream: texts that follow each other are one. */
function* listParts(parts: readonly SaidPart[]): Generator<StreamPart> {
  for (const [at, part] of parts.entries()) {
    const kind = nameKind(part);
    const begin = parts
      .slice(0, at + 1)
      .findLastIndex((_, place) => place === 0 || nameKind(parts[place - 1]!) !== kind);
    const id = `${kind} ${begin}`;
    if ('tool' in part)
      yield { type: 'tool-call', toolCallId: id, toolName: part.tool, input: JSON.stringify(part.args) };
    else if ('file' in part) yield { type: 'file', mediaType, data: { type: 'data', data: part.file } };
    else {
      const delta = 'text' in part ? part.text : part.reasoning;
      if (begin === at) yield { type: `${kind!}-start`, id };
      yield { type: `${kind!}-delta`, id, delta };
      if (at === parts.length - 1 || nameKind(parts[at + 1]!) !== kind) yield { type: `${kind!}-end`, id };
    }
  }
}

function listContent(parts: readonly SaidPart[]): GenerateResult['content'] {
  return parts.map((part, at) => {
    if ('text' in part) return { type: 'text', text: part.text };
    if ('reasoning' in part) return { type: 'reasoning', text: part.reasoning };
    if ('file' in part) return { type: 'file', mediaType, data: { type: 'data', data: part.file } };
    return { type: 'tool-call', toolCallId: `${at}`, toolName: part.tool, input: JSON.stringify(part.args) };
  });
}

/** Until whoever asked does not wait any more. */
async function stay(signal: AbortSignal | undefined): Promise<never> {
  if (!signal!.aborted) await new Promise((resolve) => signal!.addEventListener('abort', resolve));
  throw signal!.reason;
}

async function* say(said: SaidParts, signal: AbortSignal | undefined): AsyncGenerator<StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  for (const part of listParts(said.parts)) {
    yield part;
    await pause(said.everyMs ?? 0);
  }
  if (said.fails) throw new Error('It broke.');
  if (said.stays) await stay(signal);
  yield { type: 'finish', finishReason, usage };
}

function open(said: SaidParts, guard: Guard) {
  const model = new MockLanguageModelV4({
    doStream: async ({ abortSignal }) => {
      abortSignal?.addEventListener('abort', () => said.stays?.abort());
      return { stream: ReadableStream.from(say(said, abortSignal)) };
    },
    doGenerate: async ({ abortSignal }) => {
      abortSignal?.addEventListener('abort', () => said.stays?.abort());
      if (said.fails) throw new Error('It broke.');
      if (said.stays) await stay(abortSignal);
      return { content: listContent(said.parts), finishReason, usage, warnings: [] };
    },
  });
  return {
    model: wrapLanguageModel({ model, middleware: guardMiddleware(guard) }),
    prompt: question,
    maxRetries: 0,
    tools: { look: tool({ inputSchema: jsonSchema<{ at: string }>({ type: 'object' }) }) },
  };
}

describe('a model of the AI SDK behind the guard', () => {
  modelGuardContract({
    async *stream(said, guard, abortSignal) {
      const { fullStream } = streamText({ ...open(said, guard), abortSignal, onError: () => undefined });
      for await (const part of fullStream) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'abort') throw new Error('It was left.');
        if (part.type === 'text-delta') yield { text: part.text };
        if (part.type === 'reasoning-delta') yield { reasoning: part.text };
        if (part.type === 'tool-call') yield { calls: [part.input as { at: string }] };
        if (part.type === 'file') yield { files: [part.file.uint8Array] };
      }
    },
    async generate(said, guard, abortSignal) {
      const { text, reasoningText, toolCalls, files } = await generateText({ ...open(said, guard), abortSignal });
      return {
        text,
        reasoning: reasoningText ?? '',
        calls: toolCalls.map(({ input }) => input as { at: string }),
        files: files.map(({ uint8Array }) => uint8Array),
      };
    },
  });
});
