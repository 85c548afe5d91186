export type { ScreenedJob } from './raw-data.ts';
export type { ResolveReport } from './resolve.ts';
export { resolveScreening } from './resolve-files.ts';
export { runScreening } from './run-screening.ts';
export type { ScreeningReport } from './screening.ts';
