export type { Cascade } from './read-cascade.ts';
export { clearScore, decides, openFirstTier, openGuardTrial, type GuardTrial } from './first-tier.ts';
export { fitCascade, sideOf, type CascadeFit, type FitOptions, type ScoredItem } from './fit-cascade.ts';
export {
  cascadeOf,
  openCascade,
  scoreLabelled,
  type CascadeOptions,
  type GuardScores,
  percent,
  whyNoBand,
  labelledIn,
  type LabelledSubject,
} from './open-cascade.ts';
