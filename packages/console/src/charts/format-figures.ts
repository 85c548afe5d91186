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

/* Figures as people read them. */

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const dayFormat = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });

export function showCount(value: number): string {
  return whole.format(value);
}

/** `86.4 %`. */
export function showPercent(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}

/** `$1.25`, `$0.0031`; a price that is not known is a dash. */
export function formatCost(usd: number | null): string {
  if (usd === null) return '–';
  return `$${usd === 0 || usd >= 0.1 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}

/** `340 ms`, `2.4 s`, `3 min`. */
export function formatDuration(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${(ms / 60_000).toFixed(1)} min`;
}

/** `15 Nov`, of a local day. */
export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T12:00`));
}

/** `82.0 % to 88.1 %`. */
export function formatInterval(
  interval: readonly [number, number] | null | undefined,
  write: (value: number) => string = showPercent,
): string {
  return interval ? `${write(interval[0])} to ${write(interval[1])}` : '–';
}

/** Of a test: `p = 0.03`, `p < 0.001`. */
export function formatP(p: number | null): string {
  if (p === null) return 'not tested';
  return p < 0.001 ? 'p\u00a0<\u00a00.001' : `p\u00a0=\u00a0${p.toFixed(3)}`;
}
