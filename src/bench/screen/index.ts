export { runScreening, type ScreeningPlan } from './run-screening.ts';
export type { ScreenedJob } from './raw-data.ts';
export type { ScreeningReport } from './screening.ts';
export type { ItemScreen, ScreenReason } from './screen-items.ts';
export { resolveScreening, type ResolvePlan } from './resolve-files.ts';
export type { OpenItem, ResolveReport } from './resolve.ts';
export { countVotes, readVote, type Vote, type VoteProblem } from './votes.ts';
