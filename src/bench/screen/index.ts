export type { ScreenedJob } from './raw-data.ts';
export type { ResolveReport } from './resolve-votes.ts';
export { resolveScreening } from './resolve-screening.ts';
export { runScreening } from './run-screening.ts';
export type { ScreeningReport } from './screen-items.ts';
