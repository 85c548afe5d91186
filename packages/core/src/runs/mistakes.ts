import { AgonError } from '@agonhq/engine/agon-error';

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

const passing = new Set([
  'nobody-heard',
  'internal',
  'ledger-unreachable',
  'ledger-conflict',
  'locked-ledger',
  'full-disk',
]);

/** Another attempt may go better; what is wrong with the item itself stays wrong. */
export function mayPass(error: AgonError): boolean {
  return passing.has(error.code);
}

/**
 * Items in a row that no model was heard for, with no other in between: from so many on the models are away, and not
 * the items wrong.
 */
export function countUnheardAtMost(concurrency: number): number {
  return Math.max(20, 2 * concurrency);
}

export function modelsAwayError(inARow: number): AgonError {
  return new AgonError(
    'models-away',
    `No model could be reached for ${inARow} items in a row.`,
    'See that the provider answers, then go on with the run.',
  );
}
