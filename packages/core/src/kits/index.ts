export { openAgon, type JobAgon } from './open-agon.ts';
export { openLedgerCache } from './open-kits.ts';
export {
  listClauseExamples,
  locateLibrary,
  openEmbedder,
  openPrecedents,
  reportEmbedding,
  type Precedents,
} from './open-precedents.ts';
export type { AgonParts, ModelPool } from './parts.ts';
