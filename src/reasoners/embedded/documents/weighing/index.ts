export { amountsIn } from './amounts.ts';
export { causesOf, type Causes } from './causes.ts';
export { weighClaim } from './weigh-claim.ts';
export { documentWeights } from './weights.ts';
export type { Signal, SignalKind, Weighed } from './weighed.ts';
