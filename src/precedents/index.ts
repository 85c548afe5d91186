export { memoryLibrary, type KeptPrecedent } from './memory-library.ts';
export { seedPrecedents } from './seed-precedents.ts';
