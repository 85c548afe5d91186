export { createAgon, type Agon } from './create-agon.ts';
export type { Documents } from './documents-setups.ts';
export { openReaderApart, type ReaderApart } from './read-apart.ts';
export { limitsFrom, readDocument, readDossier, type NamedBytes, type ReadOptions } from './read-files.ts';
export { ledgerCache } from './ledger-cache.ts';
export { openCurator, openLearning, type Curator, type Learning } from './open-learning.ts';
export { openPrecedents, type Precedents } from './open-precedents.ts';
export type { AgonParts, Job } from './parts.ts';
