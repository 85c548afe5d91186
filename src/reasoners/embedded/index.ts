export { bareGuard } from './moderation/judge.ts';
export {
  clauseResemblance,
  measureClauses,
  type ClauseReliability,
  createEmbeddedReasoner,
  embeddedModel,
  embedText,
  guardEmbedder,
} from './embedded-reasoner.ts';
export { openGuard } from './guard.ts';
export { loadEverydayTexts } from './everyday-texts.ts';
export { openReplyModel } from './reply-model.ts';
export { rememberReadings } from './runtime/index.ts';
export { encodeEmbeddings, everydayFile } from './kept-embeddings.ts';
