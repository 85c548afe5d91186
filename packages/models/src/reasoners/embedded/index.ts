export { bareGuard } from './moderation/judge.ts';
export { assertInstalled, embeddedDigest, embeddedModel, isAbsentModel } from './embedded-model.ts';
export { createEmbeddedReasoner } from './embedded-reasoner.ts';
export { embedCentred, embedText, guardEmbedder } from './kept-embeddings.ts';
export { locateGuards, openGuard, registeredGuards, type ModelFile } from './guard.ts';
export { findSpeechAct } from './phrase-arguments.ts';
export { loadEverydayTexts } from './everyday-texts.ts';
export { rememberReadings } from './runtime/index.ts';
export { directionsFile, encodeEmbeddings, everydayFile, keptFile } from './kept-embeddings.ts';
