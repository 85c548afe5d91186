/* What figures of agreement mean, in words that are usual for them. */

/** `75 %`. */
export function formatAgreement(share: number | null): string {
  return share === null ? '–' : `${Math.round(share * 1000) / 10} %`;
}

/** `0.50`. */
export function formatCoefficient(figure: number | null): string {
  return figure === null ? '–' : figure.toFixed(2);
}

const strengths: readonly [least: number, words: string][] = [
  [0.81, 'almost perfect'],
  [0.61, 'substantial'],
  [0.41, 'moderate'],
  [0.21, 'fair'],
  [0, 'slight'],
];

/** The scale of Landis and Koch. */
export function describeKappa(kappa: number | null): string {
  if (kappa === null) return 'unknown';
  return strengths.find(([least]) => Math.round(kappa * 100) / 100 >= least)?.[1] ?? 'worse than chance';
}

/** Krippendorff's own thresholds. */
export function describeAlpha(alpha: number | null): string {
  if (alpha === null) return 'unknown';
  return alpha >= 0.8 ? 'reliable' : alpha >= 0.667 ? 'tentative' : 'not reliable';
}
