export { readAmounts } from './read-amounts.ts';
export { findCauses, type Causes } from './find-causes.ts';
export { weighClaim } from './weigh-claim.ts';
export { documentWeights } from './weights.ts';
export type { Signal, SignalKind, Weighed } from './signal.ts';
