import type { FittedCalibration } from '../debate/index.ts';

/** What a fit came to, in a line. */
export function describeCalibration({ items, method, metrics, band }: FittedCalibration): string {
  const { before, after } = metrics;
  const doubt =
    band === null
      ? 'no verdict needs a person for its probability'
      : `a person looks at probabilities from ${band[0].toFixed(2)} to ${band[1].toFixed(2)}`;
  return (
    `Fitted on ${items} items (${method}): calibration error ${before.ece!.toFixed(3)} → ` +
    `${after.ece!.toFixed(3)}, Brier ${before.brier!.toFixed(3)} → ${after.brier!.toFixed(3)} by ` +
    `cross-validation; ${doubt}.`
  );
}
