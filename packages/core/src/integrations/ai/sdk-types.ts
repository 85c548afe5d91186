import type { LanguageModelMiddleware } from 'ai';

/* The SDK's types, by way of its middleware: so that nothing of its provider package is named here. */
export type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
export type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
export type CallParams = Parameters<WrapStream>[0]['params'];
export type SdkPrompt = CallParams['prompt'];
export type PromptMessage = SdkPrompt[number];
export type GenerateResult = Awaited<ReturnType<WrapGenerate>>;
export type SdkStreamResult = Awaited<ReturnType<WrapStream>>;
export type StreamPart = SdkStreamResult['stream'] extends ReadableStream<infer Part> ? Part : never;
export type FinishPart = Extract<StreamPart, { type: 'finish' }>;
