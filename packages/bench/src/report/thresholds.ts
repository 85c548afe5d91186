import { badFlag } from '@agonhq/engine/agon-error';
import type { SystemFigureSet } from '../figures/set-figures.ts';
import { writePercent, type MeasuredSet } from './block.ts';
import { shortenName, writeDollars } from './write-values.ts';
import { metricFormats, type ScoreMetric } from './metric-names.ts';
import type { Estimate, Interval } from '@agonhq/engine/statistics';

/** What a system must reach, so that a build passes. */
export interface Threshold {
  metric: ThresholdMetric;
  value: number;
  /** A system by its name, or `*` for every one; null for the first of each set. */
  system: string | null;
  /** A set by its title or file; null for all. */
  set: string | null;
  /** As it was given. */
  text: string;
}

export interface CheckedThreshold {
  threshold: Threshold;
  set: string;
  system: string;
  /** Null where the data gives nothing to measure. */
  value: number | null;
  interval: Interval | null;
  passed: boolean;
}

export type ThresholdMetric = ScoreMetric | 'kappa' | 'undecided' | 'failed' | 'tokensPerItem' | 'usdPerItem';

interface Measure {
  better: 'higher' | 'lower';
  /** Whether it is a share: from 0 to 1. */
  share: boolean;
  write: (value: number) => string;
  of: (system: SystemFigureSet, items: number) => Estimate;
}

const alone = (value: number | null): Estimate => ({ value, interval: null });
const decimal = (value: number) => value.toFixed(3);
const shareOf = (part: number, items: number) => alone(items === 0 ? null : part / items);

const scoreMeasures = Object.fromEntries(
  (Object.keys(metricFormats) as ScoreMetric[]).map((metric): [string, Measure] => [
    metric,
    { better: metricFormats[metric].better, share: true, write: decimal, of: ({ scores }) => scores[metric] },
  ]),
) as Record<ScoreMetric, Measure>;

const measures: Record<ThresholdMetric, Measure> = {
  ...scoreMeasures,
  kappa: { better: 'higher', share: true, write: decimal, of: ({ kappa }) => kappa },
  undecided: {
    better: 'lower',
    share: true,
    write: (value) => `${writePercent(value)} %`,
    of: ({ unsettled }, items) => shareOf(unsettled.undecided.length, items),
  },
  failed: {
    better: 'lower',
    share: true,
    write: (value) => `${writePercent(value)} %`,
    of: ({ unsettled }, items) => shareOf(unsettled.failed.length, items),
  },
  tokensPerItem: {
    better: 'lower',
    share: false,
    write: (value) => String(Math.round(value)),
    of: ({ cost }) => alone(cost.perItem.tokens),
  },
  usdPerItem: { better: 'lower', share: false, write: writeDollars, of: ({ cost }) => alone(cost.perItem.costUsd) },
};

const metricNames = Object.keys(measures) as ThresholdMetric[];
const form =
  'Write METRIC=VALUE or SYSTEM:METRIC=VALUE, with @SET after it for one set: f1=.85, embedded:auc=90%, ' +
  '*:failed=0, f1=.9@items.jsonl.';

/**
 * Thresholds as they stand in flags: `f1=.85`, several with commas, `embedded:f1=.85` for one system (`*` for every
 * one),
 * `f1=.85@AIR-Bench text` for one set, which comes last. What is better low (ece, brier, undecided, failed,
 * tokensPerItem, usdPerItem) may be at most the value, everything else must be at least that.
 *
 * @example readThresholds(['accuracy=.8,auc=.9', 'embedded:ece=.05'])
 */
export function readThresholds(texts: readonly string[]): Threshold[] {
  // Bounded: a flag. A comma ends a threshold only after its value: names of systems and sets may hold one.
  return texts.flatMap((text) => text.split(/(?<==\s*[\d.]+%?\s*),/)).map(readThreshold);
}

function readThreshold(text: string): Threshold {
  const found =
    // Bounded: a flag.
    /^\s*(?:(?<system>.+):)?(?<metric>[a-z][\w-]*)\s*=\s*(?<value>\d*\.?\d+)(?<percent>%?)\s*(?:@(?<set>.+))?$/is.exec(
      text,
    );
  if (!found?.groups) throw badFlag(`The threshold "${shortenName(text)}" cannot be read.`, form);
  const { system, metric, value, percent: inPercent, set } = found.groups;
  const name = metricNames.find((known) => folded(known) === folded(metric!));
  if (name === undefined)
    throw badFlag(
      `There is no metric "${shortenName(metric!)}" for a threshold.`,
      `Known metrics: ${metricNames.join(', ')}.`,
    );
  const number = Number(value) / (inPercent === '%' ? 100 : 1);
  if (measures[name].share && number > 1)
    throw badFlag(
      `The threshold "${shortenName(text)}" is out of reach: ${name} is from 0 to 1.`,
      `Write ${name}=.${String(value).replace('.', '')} or ${name}=${value}%.`,
    );
  return { metric: name, value: number, system: system?.trim() ?? null, set: set?.trim() ?? null, text: text.trim() };
}

const folded = (metric: string) => metric.replaceAll(/[_-]/g, '').toLowerCase();

/** Holds every threshold against the sets and systems it is about. A figure that cannot be measured does not pass. */
export function checkThresholds(sets: readonly MeasuredSet[], thresholds: readonly Threshold[]): CheckedThreshold[] {
  return thresholds.flatMap((threshold) => {
    const meant = setsOf(sets, threshold);
    const checked = meant.flatMap(({ result, figures }) => {
      const places = result.systems.flatMap(({ name }, place) =>
        (threshold.system === null ? place === 0 : threshold.system === '*' || threshold.system === name)
          ? [place]
          : [],
      );
      return places.map((place): CheckedThreshold => {
        const { value, interval } = measures[threshold.metric].of(figures.systems[place]!, result.items.length);
        return {
          threshold,
          set: result.data.title,
          system: result.systems[place]!.name,
          value,
          interval,
          passed: value !== null && passes(threshold, value),
        };
      });
    });
    if (checked.length === 0) {
      const names = [...new Set(meant.flatMap(({ result }) => result.systems.map(({ name }) => shortenName(name))))];
      throw badFlag(
        `No system is called "${shortenName(threshold.system ?? '')}", as the threshold ` +
          `"${shortenName(threshold.text)}" wants it.`,
        `Measured: ${names.join(', ') || 'none'}.`,
      );
    }
    return checked;
  });
}

function setsOf(sets: readonly MeasuredSet[], { set, text }: Threshold): readonly MeasuredSet[] {
  if (set === null) return sets;
  const meant = sets.filter(({ result: { data } }) => data.title === set || data.file === set);
  if (meant.length > 0) return meant;
  throw badFlag(
    `No set is called "${shortenName(set)}", as the threshold "${shortenName(text)}" wants it.`,
    `Measured: ${sets.map(({ result }) => shortenName(result.data.title)).join(', ')}.`,
  );
}

// What is told apart by the last bits of a mean alone is the same.
function passes({ metric, value: wanted }: Threshold, value: number): boolean {
  return measures[metric].better === 'higher' ? value >= wanted - 1e-9 : value <= wanted + 1e-9;
}

/** `f1 ≥ 0.85`. */
export function describeThreshold({ metric, value }: Threshold): string {
  const { better, share, write } = measures[metric];
  return `${metric} ${better === 'higher' ? '≥' : '≤'} ${share ? String(Number(value.toPrecision(9))) : write(value)}`;
}

/** `f1 is 0.812 (0.790–0.834), wanted ≥ 0.85`. */
export function describeCheck({ threshold, value, interval }: CheckedThreshold): string {
  const { write } = measures[threshold.metric];
  const wanted = describeThreshold(threshold).slice(threshold.metric.length + 1);
  if (value === null) return `${threshold.metric} cannot be measured on this data, wanted ${wanted}`;
  return (
    `${threshold.metric} is ` +
    `${write(value)}${interval ? ` (${write(interval[0])}–${write(interval[1])})` : ''}, wanted ${wanted}`
  );
}
