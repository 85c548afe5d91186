export type { Embed, Embedder, KeptPrecedent, PrecedentStore } from './precedent.ts';
export { openLibrary, type Library, type LibraryOptions } from './open-library.ts';
export { memoryPrecedentStore } from './memory-store.ts';
export { seedPrecedents } from './seed-precedents.ts';
export { isMereRefusal, readPrecedent } from './precedent-line.ts';
export { copyOverlap } from './choose-precedents.ts';
export { overlapOfWords, sameWords, wordingOf, type Wording } from './compare-wording.ts';
export {
  exportPrecedents,
  findPrecedent,
  importPrecedents,
  listPrecedents,
  retirePrecedent,
} from './manage-precedents.ts';
export { addPrecedent, type WrittenPrecedent, correctPrecedent } from './edit-precedents.ts';
export { haveSamePicture, indexPictures } from './match-pictures.ts';
export { pageOfPrecedents } from './page-precedents.ts';
