import type { AgonError } from '../errors.ts';

const mistakes = new Set([
  'wrong-key',
  'missing-key',
  'unknown-model',
  'unknown-provider',
  'no-vision',
  'budget-spent',
  'calibration-mismatch',
]);

/** Only the user can put it right, and the next item would meet it too: a run ends with it. */
export function isMistake(error: AgonError): boolean {
  return mistakes.has(error.code);
}
