import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { before, listen, question } from '@agonhq/test/support/guard-contract.ts';
import {
  modelGuardContract,
  type Heard,
  type SaidPart,
  type SaidParts,
} from '@agonhq/test/support/model-guard-contract.ts';
import type { Guard } from '../../guard/index.ts';
import { guardRunnable } from './index.ts';

const mimeType = 'application/pdf';
const usage_metadata = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

function toFields(part: SaidPart) {
  if ('text' in part) return { content: part.text };
  if ('reasoning' in part) return { content: [{ type: 'reasoning', reasoning: part.reasoning }] };
  if ('file' in part) return { content: [{ type: 'file', mimeType, data: Buffer.from(part.file).toString('base64') }] };
  return { content: '', tool_calls: [{ name: part.tool, args: part.args, id: 'c1', type: 'tool_call' as const }] };
}

/** Says what it is told to, as a provider's model would. */
class ScriptedModel extends BaseChatModel {
  readonly said: SaidParts;
  constructor(said: SaidParts) {
    super({});
    this.said = said;
  }
  _llmType(): string {
    return 'scripted';
  }
  async _generate(): Promise<ChatResult> {
    throw new Error('The guard streams.');
  }
  override async *_streamResponseChunks(
    _messages: BaseMessage[],
    { signal }: this['ParsedCallOptions'],
    _manager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { parts, everyMs = 0, fails, stays } = this.said;
    signal?.addEventListener('abort', () => stays?.abort());
    // Providers begin with an empty one, and tell the usage with the last.
    for (const fields of [
      { content: '' },
      ...parts.map(toFields).map((one, at) => (at === parts.length - 1 ? { ...one, usage_metadata } : one)),
    ]) {
      yield new ChatGenerationChunk({ text: '', message: new AIMessageChunk(fields) });
      await pause(everyMs);
    }
    if (fails) throw new Error('It broke.');
    if (stays && !signal!.aborted) await new Promise((resolve) => signal!.addEventListener('abort', resolve));
  }
}

function read(message: AIMessageChunk | AIMessage | string): Partial<Heard> {
  if (typeof message === 'string') return { text: message };
  const blocks = typeof message.content === 'string' ? [] : message.content;
  return {
    text: message.text,
    reasoning: blocks.map((block) => (block.type === 'reasoning' ? String(block['reasoning']) : '')).join(''),
    calls: (message.tool_calls ?? []).map(({ args }) => args as { at: string }),
    files: blocks.flatMap((block) => (block.type === 'file' ? [Buffer.from(String(block['data']), 'base64')] : [])),
  };
}

const isStopped = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'guarded';

const open = (said: SaidParts, guard: Guard) => guardRunnable(new ScriptedModel(said), guard);

describe('a chat model of LangChain behind the guard', () => {
  modelGuardContract({
    async *stream(said, guard, signal) {
      try {
        for await (const part of await open(said, guard).stream(question, { signal })) yield read(part);
      } catch (error) {
        // So it tells of a hit.
        if (!isStopped(error)) throw error;
      }
    },
    async generate(said, guard, signal) {
      try {
        return read(await open(said, guard).invoke(question, { signal }));
      } catch (error) {
        if (!isStopped(error)) throw error;
        return {};
      }
    },
  });

  test('tells the usage once, however its words are cut', async () => {
    const { guard } = listen();
    const parts = [{ text: before.slice(0, 20) }, { text: `${before.slice(20)}They were poor` }];
    let whole: AIMessageChunk | null = null;
    for await (const part of await open({ parts }, guard).stream(question))
      whole = whole ? whole.concat(part as AIMessageChunk) : (part as AIMessageChunk);
    expect([whole!.text, whole!.usage_metadata]).toMatchObject([`${before}They were poor`, usage_metadata]);
  });
});
