export type { Cascade } from './cascade.ts';
export { clearScore, decides, openFirstTier, openGuardTrial, type GuardTrial } from './first-tier.ts';
export { fitCascade, sideOf, type CascadeFit, type FitOptions, type ScoredItem } from './fit-cascade.ts';
export { cascadeOf, openCascade, scoreLabelled, type CascadeOptions, type GuardScores } from './open-cascade.ts';
export { percent, whyNoBand } from './words.ts';
export { labelledIn, type LabelledSubject } from './labelled-items.ts';
