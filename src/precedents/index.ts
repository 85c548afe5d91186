export type { Embed, Embedder, KeptPrecedent, PrecedentProvenance, PrecedentStore } from './precedent.ts';
export { openLibrary, type Library, type LibraryOptions } from './open-library.ts';
export { libraryHealth, type LibraryFacts, type LibraryHealth } from './library-health.ts';
export { memoryPrecedentStore } from './memory-store.ts';
export { seedPrecedents } from './seed-precedents.ts';
export { isMereRefusal, precedentLine, precedentLineVersion, readPrecedent } from './precedent-line.ts';
export { copyOverlap } from './choose-precedents.ts';
export { overlap, sameWords, wordingOf, type Wording } from './compare-wording.ts';
export {
  exportPrecedents,
  findPrecedent,
  importPrecedents,
  listPrecedents,
  retirePrecedent,
  type ImportedPrecedents,
  type PrecedentFilter,
} from './manage-precedents.ts';
export { addPrecedent, type WrittenPrecedent, correctPrecedent, type Correction } from './edit-precedents.ts';
export { pageOfPrecedents, type PrecedentPage } from './page-precedents.ts';
