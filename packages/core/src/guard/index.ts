export { createGuard, type Guard, type GuardedCall, type GuardedPrompt } from './create-guard.ts';
export { openGuardAgon, type GuardAgon } from './guard-agon.ts';
export type { GuardedTurn } from './judged-turns.ts';
export type { GuardChoices, GuardOptions } from './guard-options.ts';
export { sayDone, summarizeVerdict, type GuardReport, type GuardVerdict } from './guard-verdict.ts';
export { renderGuardStats, type GuardStats } from './latency.ts';
export { releaseParts, type PartKind, type PartReader } from './release-parts.ts';
