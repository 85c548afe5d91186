export type { Embed, Embedder, KeptPrecedent, PrecedentProvenance, PrecedentStore } from './kept-precedent.ts';
export { openLibrary, type Library, type LibraryOptions } from './open-library.ts';
export { libraryHealth, type LibraryFacts, type LibraryHealth } from './library-health.ts';
export { memoryPrecedentStore } from './memory-store.ts';
export { seedPrecedents } from './seed-precedents.ts';
export { isMereRefusal } from './mere-refusal.ts';
export { precedentLine, precedentLineVersion, readPrecedent } from './precedent-line.ts';
export { copyOverlap } from './choose-precedents.ts';
export { overlap, sameWords, wordingOf, type Wording } from './likeness.ts';
export {
  exportPrecedents,
  findPrecedent,
  importPrecedents,
  listPrecedents,
  retirePrecedent,
  type ImportedPrecedents,
  type PrecedentFilter,
} from './manage-precedents.ts';
export { addPrecedent, type WrittenPrecedent } from './add-precedent.ts';
export { correctPrecedent, type Correction } from './correct-precedent.ts';
export { pageOfPrecedents, type PrecedentPage } from './page-precedents.ts';
