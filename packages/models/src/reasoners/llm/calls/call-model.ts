import type { CallWarning, LanguageModel, Output, TelemetryOptions } from 'ai';
import type { TokenCount } from '../providers/prices.ts';
import type { Conversation, LaidOutMessage, MessagePart } from './lay-out-prompt.ts';
import type { SentSchema } from './sent-schema.ts';

/** A model of a provider's SDK, which can be called with or without the AI SDK around it. */
export type ProviderModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;

/** The feature that a warning names when a prompt had to be cut to the model's context. */
export const contextFeature = 'context';

export interface Call {
  model: ProviderModel;
  conversation: Conversation;
  /** Null where the schema is in the text. */
  schema: SentSchema | null;
  schemaName: string;
  maxOutputTokens: number;
  temperature: number | undefined;
  /** OpenAI's reasoning models name the token limit differently; the SDK does not know an Azure deployment. */
  reasoning: boolean;
  telemetry: TelemetryOptions;
  signal: AbortSignal;
  /** Called with the text so far; asks the provider to stream. */
  onText?: (textSoFar: string) => void;
}

export interface ModelReply {
  text: string;
  finish: string;
  rawFinish: string | undefined;
  /** Null when the provider did not say. */
  tokens: TokenCount | null;
  /** What was left out of the prompt, in words. */
  cut?: string | undefined;
}

interface SdkUsage {
  inputTokens: number | undefined;
  outputTokens: number | undefined;
  inputTokenDetails: { cacheReadTokens: number | undefined };
}

/**
 * Loads what a call needs beyond its model. The AI SDK's own loop is for what it adds: spans, and streams with their
 * errors in one form. A whole answer without them is had from the provider's layer at a third less CPU time.
 */
export async function prepareCall(call: Pick<Call, 'telemetry' | 'onText'>): Promise<void> {
  if (needsSdk(call)) await loadSdk();
}

function needsSdk({ telemetry, onText }: Pick<Call, 'telemetry' | 'onText'>): boolean {
  return telemetry.isEnabled === true || onText !== undefined;
}

/** One request to one model. Errors are the SDK's. */
export function callModel(call: Call): Promise<ModelReply> {
  return needsSdk(call) ? callThroughSdk(call) : callDirectly(call);
}

async function callDirectly(call: Call): Promise<ModelReply> {
  const { content, finishReason, usage, structuredOutputText, warnings } = await call.model.doGenerate({
    prompt: makeDirectPrompt(call.conversation),
    maxOutputTokens: call.maxOutputTokens,
    temperature: call.temperature,
    responseFormat: makeResponseFormat(call),
    providerOptions: makeProviderOptions(call),
    abortSignal: call.signal,
  });
  const { inputTokens, outputTokens } = usage;
  return {
    text: structuredOutputText ?? content.reduce((text, part) => (part.type === 'text' ? text + part.text : text), ''),
    finish: finishReason.unified,
    rawFinish: finishReason.raw,
    tokens: countTokens({
      inputTokens: inputTokens.total,
      outputTokens: outputTokens.total,
      inputTokenDetails: { cacheReadTokens: inputTokens.cacheRead },
    }),
    cut: findCut(warnings),
  };
}

async function callThroughSdk(call: Call): Promise<ModelReply> {
  const { generateText, streamText } = await loadSdk();
  let text = '';
  const options = {
    model: call.model,
    // An empty system message is not the same as none.
    instructions: call.conversation.instructions || undefined,
    messages: call.conversation.messages,
    maxOutputTokens: call.maxOutputTokens,
    temperature: call.temperature,
    output: makeRawOutput(call, (complete) => {
      text = complete;
    }),
    providerOptions: makeProviderOptions(call),
    // Retries are ours: the limits, the budget and the notes must see every attempt.
    maxRetries: 0,
    telemetry: call.telemetry,
    abortSignal: call.signal,
  };
  if (!call.onText) {
    const { finishReason, rawFinishReason, usage, warnings } = await generateText(options);
    return {
      text,
      finish: finishReason,
      rawFinish: rawFinishReason,
      tokens: countTokens(usage),
      cut: findCut(warnings),
    };
  }

  let finished: Omit<ModelReply, 'text'> | undefined;
  let cut: string | undefined;
  // Errors arrive in the stream as well; without a handler the SDK prints them.
  const { stream } = streamText({ ...options, onError: () => {} });
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      text += part.text;
      call.onText(text);
    } else if (part.type === 'start-step') cut = findCut(part.warnings);
    else if (part.type === 'text-start' && part.providerMetadata?.['local']?.['again'] === true) text = '';
    else if (part.type === 'error') throw part.error;
    else if (part.type === 'finish-step') {
      finished = { finish: part.finishReason, rawFinish: part.rawFinishReason, tokens: countTokens(part.usage) };
    }
  }
  call.signal.throwIfAborted();
  return { text, cut, ...(finished ?? { finish: 'interrupted', rawFinish: undefined, tokens: null }) };
}

let sdk: Promise<typeof import('ai')> | undefined;

/** The AI SDK, loaded when a model is first needed. */
export function loadSdk(): Promise<typeof import('ai')> {
  // Kept, since even an import that is already loaded costs a tenth of a call when it is asked for again.
  sdk ??= import('ai').then((loaded) => {
    // The SDK prints its warnings to the console, into the middle of a user's output.
    globalThis.AI_SDK_LOG_WARNINGS ??= false;
    return loaded;
  });
  return sdk;
}

/** Sends the schema but hands the text over as it came: reading it is ours, since a near miss can be repaired. */
function makeRawOutput(call: Call, received: (text: string) => void): Output.Output<string, string, never> {
  return {
    name: call.schema ? 'object' : 'text',
    responseFormat: Promise.resolve(makeResponseFormat(call)),
    parseCompleteOutput: async ({ text }) => {
      received(text);
      return text;
    },
    // Without a partial output the SDK would hold the text back until the end.
    parsePartialOutput: async ({ text }) => ({ partial: text }),
    createElementStreamTransform: () => undefined,
  };
}

function makeResponseFormat({ schema, schemaName }: Call) {
  return schema ? { type: 'json' as const, schema: schema.json, name: schemaName } : { type: 'text' as const };
}

function makeProviderOptions({ schema, reasoning }: Call) {
  // Strict unless told: options that say nothing else would be checked at every call.
  const loose = schema?.strict === false ? { strictJsonSchema: false } : null;
  return {
    ...(loose || reasoning ? { openai: { ...loose, ...(reasoning ? { forceReasoning: true } : {}) } } : {}),
    ...(loose ? { openaiCompatible: loose } : {}),
    ...(schema ? { local: { schema: schema.limited as JSONObject } } : {}),
  };
}

type JSONObject = NonNullable<Parameters<ProviderModel['doGenerate']>[0]['providerOptions']>[string];

/** What was cut of a prompt. Other warnings say what our own settings and traits know already. */
function findCut(warnings: readonly CallWarning[] = []): string | undefined {
  for (const warning of warnings)
    if (warning.type === 'compatibility' && warning.feature === contextFeature) return warning.details;
  return undefined;
}

function countTokens({ inputTokens, outputTokens, inputTokenDetails }: SdkUsage): TokenCount | null {
  if (inputTokens === undefined || outputTokens === undefined) return null;
  return { inputTokens, outputTokens, cachedTokens: inputTokenDetails.cacheReadTokens ?? 0 };
}

type DirectPrompt = Parameters<ProviderModel['doGenerate']>[0]['prompt'];

/** A conversation in the form of the provider's layer, as the AI SDK would put it. */
function makeDirectPrompt({ instructions, messages }: Conversation): DirectPrompt {
  // An empty system message is not the same as none.
  const system: DirectPrompt = instructions === '' ? [] : [{ role: 'system', content: instructions }];
  return [...system, ...messages.map(makeMessage)];
}

function makeMessage({ role, content }: LaidOutMessage): DirectPrompt[number] {
  if (typeof content === 'string') return { role, content: [{ type: 'text', text: content }] };
  // Providers reject an empty part.
  return { role: 'user', content: content.filter((part) => part.type !== 'text' || part.text !== '').map(makePart) };
}

function makePart(part: MessagePart) {
  return part.type === 'text' ? part : { ...part, data: { type: 'data' as const, data: part.data } };
}
