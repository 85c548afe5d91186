export { bareGuard } from './bare-guard.ts';
export {
  clauseResemblance,
  createEmbeddedReasoner,
  embeddedModel,
  embedText,
  guardEmbedder,
} from './embedded-reasoner.ts';
export { openGuard } from './guard/index.ts';
export { openReplyModel } from './replies/index.ts';
export { rememberReadings } from './runtime/index.ts';
export { shelfBytes } from './shelf.ts';
