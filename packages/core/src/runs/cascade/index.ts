export type { Cascade } from './read-cascade.ts';
export { readClearScore, decideByCascade, openFirstTier, openGuardTrial, type GuardTrial } from './first-tier.ts';
export { fitCascade, findSide, type CascadeFit, type ScoredItem } from './fit-cascade.ts';
export {
  createCascade,
  openCascade,
  scoreLabelled,
  type GuardScores,
  percent,
  explainNoBand,
  readLabelledItems,
  type LabelledSubject,
} from './open-cascade.ts';
