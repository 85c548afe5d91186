export { bareGuard } from './moderation/judge.ts';
export {
  assertInstalled,
  clauseResemblance,
  measureClauses,
  type ClauseReliability,
  createEmbeddedReasoner,
  embedCentred,
  embeddedDigest,
  embeddedModel,
  embedText,
  guardEmbedder,
  isAbsentModel,
  listReadings,
} from './embedded-reasoner.ts';
export { locateGuards, openGuard, registeredGuards, type ModelFile } from './guard.ts';
export { locateReader, openReader } from './reader/index.ts';
export { findSpeechAct } from './phrase-arguments.ts';
export { loadEverydayTexts } from './everyday-texts.ts';
export { rememberReadings } from './runtime/index.ts';
export { directionsFile, encodeEmbeddings, everydayFile, keptFile } from './kept-embeddings.ts';
