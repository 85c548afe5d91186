export { createLlmPool, type LlmPool } from './llm/pool.ts';
export type { CallControl, SharedAccount, SharedReservation } from './llm/call-control.ts';
export type { Cost } from './llm/budget.ts';
export type { Limiter, Limits } from './llm/limits.ts';
export { createMeteredPool, type MeteredCall, type ModelTerms } from './llm/metered.ts';
export { costOf, listPrice } from './llm/prices.ts';
export {
  createSharedLimiter,
  type SharedLimiter,
  type SharedLimiterOptions,
  type ShareAsk,
} from './llm/shared-limiter.ts';
export type { AnswerCache } from './llm/cache.ts';
export type { TextEmbedder } from './llm/embedder.ts';
export type { Classifier, ClassifierReply } from './llm/classifier.ts';
export type { CompletionQuestion, TokenPlace } from './llm/completion.ts';
export type { ContentSafety } from './llm/content-safety.ts';
export type { ModerationEndpoint, ServiceImage } from './llm/moderation-endpoint.ts';
export type { Target, TargetMessage, TargetReply } from './llm/target.ts';
export { llmSettingsSchema, type LlmSettings } from './llm/settings.ts';
export { modelFamily } from './llm/model-traits.ts';
export {
  bareGuard,
  clauseResemblance,
  createEmbeddedReasoner,
  embeddedModel,
  embedText,
  guardEmbedder,
  openGuard,
  openReplyModel,
  rememberReadings,
  shelfBytes,
} from './embedded/index.ts';
