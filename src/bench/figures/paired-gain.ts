import { bootstrapInterval } from '../metrics/bootstrap.ts';
import { meanOf } from '../metrics/mean.ts';
import type { Estimate } from '../metrics/measure.ts';
import { ratio } from '../metrics/ratio.ts';

/** One item as two systems judged it; `gold` is null for a broken line. */
export interface SaidTwice {
  gold: string | null;
  /** What is held against. */
  from: string;
  to: string;
}

/** Repeats with a place for each item; null where an item is left out of both sides. */
export type Pairs = readonly (readonly (SaidTwice | null)[])[];

export interface GainRule {
  metric: 'accuracy' | 'f1' | 'balancedAccuracy';
  classes: readonly string[];
  positive: string | null;
}

/** By how much `to` exceeds `from` as the mean over repeats. Both sides are drawn alike, an item with all its repeats. */
export function pairedGain(pairs: Pairs, rule: GainRule, seed = 1): Estimate {
  const count = pairs[0]?.length ?? 0;
  const places = [...Array(count).keys()];
  const cells = pairs.map((repeat) => repeat.map((pair) => (pair === null ? null : { from: cellOf(pair.gold, pair.from, rule), to: cellOf(pair.gold, pair.to, rule) })));
  const score = scores[rule.metric];
  const gain = (sample: readonly number[]) =>
    meanOf(
      cells.map((repeat) => {
        const sides = { from: tally(rule.classes.length), to: tally(rule.classes.length) };
        for (const place of sample) {
          const cell = repeat[place];
          if (!cell) continue;
          sides.from[cell.from]! += 1;
          sides.to[cell.to]! += 1;
        }
        const [before, after] = [score(sides.from), score(sides.to)];
        return before === null || after === null ? null : after - before;
      }),
    );
  return { value: gain(places), interval: bootstrapInterval(places, gain, seed) };
}

/** Where an outcome is counted: by its right class, the positive one first, and whether it was missed or met; broken lines last. */
function cellOf(gold: string | null, said: string, rule: GainRule): number {
  const { classes, positive } = rule;
  const order = positive === null ? classes : [positive, ...classes.filter((label) => label !== positive)];
  const place = gold === null ? -1 : order.indexOf(gold);
  return place < 0 ? 2 * classes.length : 2 * place + (met(gold!, said, rule) ? 1 : 0);
}

/** What nobody decided is an error. F1 asks only whether the positive class was told from all others. */
function met(gold: string, said: string, { metric, classes, positive }: GainRule): boolean {
  return metric === 'f1' && gold !== positive ? said !== positive && classes.includes(said) : said === gold;
}

function tally(classes: number): number[] {
  return Array<number>(2 * classes + 1).fill(0);
}

type Score = (tally: readonly number[]) => number | null;

const scores: Record<GainRule['metric'], Score> = {
  accuracy: (cells) => ratio(sum(cells.filter((_, cell) => cell % 2 === 1)), sum(cells)),
  // Every error is a miss of the positive class, a false alarm, or a broken line.
  f1: (cells) => ratio(2 * cells[1]!, 2 * cells[1]! + sum(cells.filter((_, cell) => cell % 2 === 0))),
  balancedAccuracy: (cells) => {
    const recalls = cells.slice(0, -1).flatMap((missed, cell) => (cell % 2 === 0 && missed + cells[cell + 1]! > 0 ? [cells[cell + 1]! / (missed + cells[cell + 1]!)] : []));
    return recalls.length === 0 ? null : sum(recalls) / recalls.length;
  },
};

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
