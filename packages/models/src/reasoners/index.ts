export { createLlmPool, type LlmPool } from './llm/pool.ts';
export type { CallControl, SharedAccount, SharedReservation, Cost } from './llm/calls/budget.ts';
export { createLimiter, type Limiter, type Limits } from './llm/calls/limiter.ts';
export { createMeteredPool, type MeteredCall, type ModelTerms } from './llm/models/metered-pool.ts';
export { computeCost, findListPrice } from './llm/providers/prices.ts';
export {
  createSharedLimiter,
  type SharedLimiter,
  type SharedLimiterOptions,
  type ShareRequest,
} from './llm/calls/shared-limiter.ts';
export type { ModelAnswerCache } from './llm/calls/answer-cache.ts';
export type { TextEmbedder } from './llm/models/embedder.ts';
export type { Classifier, ClassifierReply } from './llm/models/classifier.ts';
export type { CompletionQuestion, TokenPlace } from './llm/models/completion.ts';
export type { ContentSafety } from './llm/models/content-safety.ts';
export type { ModerationEndpoint, ServiceImage } from './llm/models/moderation-endpoint.ts';
export type { Target, TargetMessage, TargetReply } from './llm/models/target.ts';
export { llmSettingsSchema, type LlmSettings } from './llm/providers/settings.ts';
export type { ProviderTrust } from './llm/providers/provider-trust.ts';
export { describeModel, type DescribedModel } from './llm/providers/describe-model.ts';
export {
  addModel,
  findModelFile,
  listLocalModels,
  localModelsFolder,
  locateLocalModel,
  measureLocalModel,
  parseModelSource,
  readModelNote,
  removeModel,
} from './llm/local/index.ts';
export { modelFamily } from './llm/providers/model-traits.ts';
export {
  bareGuard,
  assertInstalled,
  loadEverydayTexts,
  createEmbeddedReasoner,
  embedCentred,
  embeddedDigest,
  embeddedModel,
  findSpeechAct,
  embedText,
  guardEmbedder,
  locateGuards,
  registeredGuards,
  type ModelFile,
  isAbsentModel,
  openGuard,
  rememberReadings,
  encodeEmbeddings,
  directionsFile,
  everydayFile,
  keptFile,
} from './embedded/index.ts';
export { listReadings } from './embedded/list-readings.ts';
export { clauseResemblance, measureClauses, type ClauseReliability } from './embedded/policy/measure-clauses.ts';
