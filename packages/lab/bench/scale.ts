/*
 * `--short` on any bench runs all of it in seconds: it shows that the bench works, not how fast anything is. What it
 * starts inherits it.
 */

if (process.argv.includes('--short')) process.env['AGON_BENCH_SHORT'] = 'true';
export const isShort = process.env['AGON_BENCH_SHORT'] === 'true';

/** How much of something is measured, or how much of it a short run does. */
export function scale(full: number, short: number): number {
  return isShort ? short : full;
}
