export { bareGuard } from './moderation/judge.ts';
export {
  clauseResemblance,
  createEmbeddedReasoner,
  embeddedModel,
  embedText,
  guardEmbedder,
} from './embedded-reasoner.ts';
export { openGuard } from './guard.ts';
export { openReplyModel } from './reply-model.ts';
export { rememberReadings } from './runtime/index.ts';
export { encodeEmbeddings } from './kept-embeddings.ts';
