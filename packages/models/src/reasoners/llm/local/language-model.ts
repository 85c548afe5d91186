import { AgonError } from '@agonhq/engine/agon-error';
import { contextFeature, type ProviderModel } from '../calls/call-model.ts';
import { tellLocalPrompt } from '../calls/sent-request.ts';
import type { LocalSettings } from '../providers/settings.ts';
import { describeCuts, fitPrompt, type Cut, type PromptPart } from './fit-prompt.ts';
import type { ChatHistory, Token } from './llama.ts';
import type { LocalModel, ModelPlace } from './open-model.ts';
import { measureShortAnswer, writeGrammar, type JsonSchema } from './write-grammar.ts';

type CallOptions = Parameters<ProviderModel['doGenerate']>[0];
type GenerateResult = Awaited<ReturnType<ProviderModel['doGenerate']>>;
type StreamResult = Awaited<ReturnType<ProviderModel['doStream']>>;
type StreamPart = StreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;

/** A model in memory as a language model of the AI SDK: what stands above it is the same as for any provider. */
export function createLocalLanguageModel(
  name: string,
  hold: () => Promise<LocalModel>,
  settings: LocalSettings,
): ProviderModel {
  const prepare = (options: CallOptions) =>
    hold()
      .then((model) => preparePrompt(model, options, settings))
      .catch(nameFailure);
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: name,
    supportedUrls: {},
    async doGenerate(options): Promise<GenerateResult> {
      const prepared = await prepare(options);
      const { text, finishReason, usage } = await answer(prepared, options, { onDelta() {}, onAgain() {} });
      return { content: [{ type: 'text', text }], finishReason, usage, warnings: prepared.warnings };
    },
    async doStream(options): Promise<StreamResult> {
      const prepared = await prepare(options);
      const stream = new ReadableStream<StreamPart>({
        async start(controller) {
          const send = (part: StreamPart) => controller.enqueue(part);
          let id = 'first';
          send({ type: 'stream-start', warnings: prepared.warnings });
          send({ type: 'text-start', id });
          try {
            const { finishReason, usage } = await answer(prepared, options, {
              onDelta: (delta) => send({ type: 'text-delta', id, delta }),
              onAgain() {
                send({ type: 'text-end', id });
                id = 'again';
                send({ type: 'text-start', id, providerMetadata: { local: { again: true } } });
              },
            });
            send({ type: 'text-end', id });
            send({ type: 'finish', finishReason, usage });
          } catch (error) {
            send({ type: 'error', error });
          }
          controller.close();
        },
      });
      return { stream };
    },
  };
}

interface Prepared {
  model: LocalModel;
  /** Null where plain text is asked for. */
  schema: JsonSchema | null;
  tokens: Token[];
  stopTriggers: unknown[];
  warnings: GenerateResult['warnings'];
  outputTokens: number;
  /** Characters that a token of this prompt has: an answer is in its language. */
  charactersPerToken: number;
}

/** Lays the conversation out by the model's chat template, cut to its context. */
function preparePrompt(model: LocalModel, options: CallOptions, settings: LocalSettings): Prepared {
  const { contextTokens, llama } = model;
  const messages = readMessages(options.prompt);
  const given = messages.flatMap(({ parts }) => parts);
  const count = (text: string) => llama.tokenizer(text).length;
  const whole = render(model, messages, given);
  let fitted: { parts: PromptPart[]; cuts: Cut[] } | null = { parts: given, cuts: [] };
  let rendered = whole;
  const charactersPerToken = Math.max(0.25, llama.detokenize(whole.tokens, true).length / whole.tokens.length);
  const schema = findSchema(options);
  const wanted = Math.min(options.maxOutputTokens ?? Infinity, settings.maxOutputTokens, contextTokens / 4);
  const needed = schema ? Math.min(measureShortAnswer(schema) / charactersPerToken, contextTokens / 2) : 0;
  const outputTokens = Math.floor(Math.max(wanted, needed));
  const room = contextTokens - outputTokens;
  // What joins the parts is not theirs: it is found by looking at the whole, and again where tokens join otherwise.
  let frame = whole.tokens.length - given.reduce((sum, { text }) => sum + count(text), 0);
  for (let tries = 0; rendered.tokens.length > room && fitted; tries += 1) {
    fitted = tries > 8 ? null : fitPrompt(given, room - frame, count);
    if (fitted) rendered = render(model, messages, fitted.parts);
    frame += Math.max(1, rendered.tokens.length - room);
  }
  if (!fitted)
    throw new AgonError(
      'context-too-small',
      `What is asked takes more than a context of ${contextTokens} tokens holds beside an answer of ${outputTokens}.`,
      'Raise local.contextTokens as far as the model allows, lower local.maxOutputTokens, or use another model.',
    );
  const { tokens, stopTriggers } = rendered;
  tellLocalPrompt(llama.detokenize(tokens, true));
  return {
    model,
    schema,
    tokens,
    stopTriggers,
    warnings: fitted.cuts.length > 0 ? listWarnings(fitted.cuts, contextTokens) : [],
    outputTokens,
    charactersPerToken,
  };
}

function listWarnings(cuts: readonly Cut[], contextTokens: number): GenerateResult['warnings'] {
  return [{ type: 'compatibility', feature: contextFeature, details: describeCuts(cuts, contextTokens) }];
}

interface ReadMessage {
  role: 'system' | 'user' | 'model';
  parts: PromptPart[];
}

/** The first message of several parts is a case, what was said about it, and a task; the last part is what is asked. */
function readMessages(prompt: CallOptions['prompt']): ReadMessage[] {
  const messages = prompt.map(({ role, content }): ReadMessage => {
    if (typeof content === 'string') return { role: 'system', parts: [{ kind: 'rules', text: content }] };
    const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const parts = texts.map((text, index): PromptPart => {
      if (texts.length > 1 && index === texts.length - 1) return { kind: 'task', text };
      return { kind: texts.length > 1 && index === 0 ? 'case' : 'said', text };
    });
    return { role: role === 'assistant' ? 'model' : 'user', parts };
  });
  const last = messages.at(-1)?.parts.at(-1);
  if (last) last.kind = 'task';
  return messages;
}

function render({ chat, llama }: LocalModel, messages: readonly ReadMessage[], parts: readonly PromptPart[]) {
  let next = 0;
  const chatHistory: ChatHistory = messages.map(({ role, parts: own }) => {
    const texts = parts.slice(next, (next += own.length)).map(({ text }) => text);
    const text = texts.filter((one) => one !== '').join('\n\n');
    return role === 'model' ? { type: 'model', response: [text] } : { type: role, text };
  });
  const { contextText, stopGenerationTriggers } = chat.generateContextState({
    chatHistory: [...chatHistory, { type: 'model', response: [] }],
  });
  const tokens = contextText.tokenize(llama.tokenizer);
  // The completion puts the token of the beginning in front.
  const { bos, shouldPrependBosToken } = llama.tokens;
  const isDoubled = shouldPrependBosToken && bos !== null && tokens[0] === bos;
  return { tokens: isDoubled ? tokens.slice(1) : tokens, stopTriggers: stopGenerationTriggers };
}

type Answered = Pick<GenerateResult, 'finishReason' | 'usage'> & { text: string };

interface Listener {
  onDelta(delta: string): void;
  /** What came so far is void: the answer begins again. */
  onAgain(): void;
}

async function answer(prepared: Prepared, options: CallOptions, listener: Listener): Promise<Answered> {
  const { model, tokens } = prepared;
  const { bos, shouldPrependBosToken } = model.llama.tokens;
  const asSeen = shouldPrependBosToken && bos !== null ? [bos, ...tokens] : tokens;
  return model.usePlace(asSeen, options.abortSignal, async (place) => {
    const cacheRead = Math.min(place.sequence.compareContextTokens(asSeen).firstDifferentIndex, asSeen.length - 1);
    const { text, written, stopReason } = await complete(place, prepared, options, listener).catch(nameFailure);
    return {
      text,
      finishReason: { unified: stopReason === 'maxTokens' ? 'length' : 'stop', raw: stopReason },
      usage: {
        inputTokens: { total: asSeen.length, noCache: asSeen.length - cacheRead, cacheRead, cacheWrite: undefined },
        outputTokens: { total: written, text: written, reasoning: 0 },
      },
    };
  });
}

/** What fails inside llama.cpp is a failure of the model's, which a debate survives. */
function nameFailure(cause: unknown): never {
  if (AgonError.is(cause) || !(cause instanceof Error)) throw cause;
  throw Object.assign(new Error(cause.message, { cause }), { name: 'AI_LocalModelError' });
}

/** An answer in form ends by its grammar. Where tokens are shorter than they looked, a tighter one holds. */
async function complete(place: ModelPlace, prepared: Prepared, options: CallOptions, listener: Listener) {
  const { onDelta, onAgain } = listener;
  const { model, schema, tokens, outputTokens, charactersPerToken } = prepared;
  if (schema === null) return generate(place, prepared, options, { maxTokens: outputTokens, onDelta });
  const maxTokens = model.contextTokens - tokens.length - 2;
  // Some is kept back: an answer has more names and marks than prose has.
  const grammar = await model.compileGrammar(writeGrammar(schema, outputTokens * charactersPerToken * 0.7));
  const first = await generate(place, prepared, options, { grammar, maxTokens, onDelta });
  if (first.stopReason !== 'maxTokens') return first;
  // No character has more than four bytes, and no byte more than a token.
  onAgain();
  const tight = await model.compileGrammar(writeGrammar(schema, maxTokens, 4));
  const second = await generate(place, prepared, options, { grammar: tight, maxTokens, onDelta });
  return { ...second, written: first.written + second.written };
}

/** The schema with its limits, which other providers are spared. */
function findSchema({ responseFormat, providerOptions }: CallOptions): JsonSchema | null {
  if (responseFormat?.type !== 'json') return null;
  return ((providerOptions?.['local']?.['schema'] ?? responseFormat.schema) as JsonSchema | undefined) ?? null;
}

async function generate(
  { completion, sequence }: ModelPlace,
  { tokens, stopTriggers }: Prepared,
  { temperature = 0, seed = 1, abortSignal }: CallOptions,
  { grammar, maxTokens, onDelta }: Pick<GenerateOptions, 'grammar' | 'maxTokens'> & { onDelta(delta: string): void },
) {
  const before = sequence.tokenMeter.usedOutputTokens;
  const { response, metadata } = await completion.generateCompletionWithMeta([...tokens], {
    ...(grammar ? { grammar } : { customStopTriggers: stopTriggers }),
    maxTokens,
    temperature,
    seed,
    signal: abortSignal,
    disableContextShift: true,
    contextShiftSize: 1,
    onTextChunk: onDelta,
  });
  const written = sequence.tokenMeter.usedOutputTokens - before;
  return { text: response, written, stopReason: metadata.stopReason };
}

type GenerateOptions = Parameters<ModelPlace['completion']['generateCompletionWithMeta']>[1];
