export { createLlmPool, type LlmPool } from './llm/pool.ts';
export type { AnswerCache } from './llm/cache.ts';
export type { TextEmbedder } from './llm/embedder.ts';
export type { Target, TargetMessage, TargetReply } from './llm/target.ts';
export { llmSettingsSchema, type LlmSettings } from './llm/settings.ts';
export { modelFamily } from './llm/model-traits.ts';
export { bareGuard, createEmbeddedReasoner, embeddedModel, embedText, guardEmbedder, openGuard, openReplyModel, shelfBytes } from './embedded/index.ts';
