import type { BenchResult, BenchItemResult, SystemResult } from '../result.ts';
import { tokensOf } from './cost.ts';
import type { FigureChange, Gain, DebateGains } from './set-figures.ts';
import {
  meanOf,
  balancedAccuracy,
  bootstrapStatistics,
  type ConfusionMatrix,
  countMatrix,
  drawResamples,
  type Estimate,
  f1,
  matrixAccuracy,
  oneAgainstAll,
  pairedDifference,
  placeInMatrix,
} from '@agonhq/engine/statistics';

/** For each debate of the result, what it added over its own opening vote and over its control. */
export function computeDebateGains(result: BenchResult): DebateGains[] {
  return result.systems.filter(({ kind }) => kind === 'debate').map((debate) => receiptOf(result, debate));
}

function receiptOf(result: BenchResult, debate: SystemResult): DebateGains {
  const control = result.systems.find(({ kind, of }) => kind === 'control' && of === debate.name);
  const judged = control?.repeats.some((repeat) => repeat.some(({ usage }) => usage !== null)) === true;
  return {
    debate: debate.name,
    overOpening: overOpening(result, debate),
    overControl: control && judged ? { control: control.name, ...overControl(result, debate, control) } : null,
    withoutControl: judged ? null : whyNoControl(result, debate, control),
  };
}

function whyNoControl({ systems }: BenchResult, { models }: SystemResult, control: SystemResult | undefined): string {
  if (control) return `${control.name} judged no item: there is nothing to hold the debate against.`;
  if (models.length > 0 && models.every((model) => model.startsWith('embedded:')))
    return 'Embedded seats spend no tokens, so that there are none to spend on independent votes.';
  const elsewhere = systems.find(({ kind, of }) => kind === 'control' && of !== null);
  if (elsewhere) return `${elsewhere.name} spent what ${elsewhere.of} spent: it is no control of this debate.`;
  return 'No control was measured: name `control` among the systems.';
}

/** What of an item's spending is held against the debate's: null where nobody knows. */
type Spent = { tokens: number; usd: number | null } | null;

/** One item of one repeat: what both said, and what the debate spent more. */
interface Compared {
  pair: SaidTwice;
  extra: Spent;
}

function overOpening(result: BenchResult, debate: SystemResult): Gain | null {
  const compared = debate.repeats.map((repeat) =>
    repeat.map((outcome, place): Compared | null =>
      outcome.opening === null
        ? null
        : {
            pair: { gold: result.items[place]!.gold, from: outcome.opening.said, to: outcome.said },
            extra: afterOpening(outcome),
          },
    ),
  );
  return compared.some((repeat) => repeat.some((item) => item !== null))
    ? { ...gainOf(result, compared), estimated: true }
    : null;
}

/**
 * What an outcome spent after its opening, by the share of its turns. Later turns read what was said before, so that
 * they cost rather more than their share: it is an estimate from below.
 */
function afterOpening({ usage, turns }: BenchItemResult): Spent {
  const first = Math.min(...turns.flatMap(({ round }) => round ?? []));
  const opening = turns.findLastIndex(({ round }) => round === first) + 1;
  if (!usage || opening === 0) return null;
  const share = (turns.length - opening) / turns.length;
  return { tokens: tokensOf(usage) * share, usd: usage.costUsd === null ? null : usage.costUsd * share };
}

/** A control with fewer repeats than the debate stands with its last one. */
function overControl(result: BenchResult, debate: SystemResult, control: SystemResult): Gain {
  const compared = debate.repeats.map((repeat, index) => {
    const votes = control.repeats[Math.min(index, control.repeats.length - 1)]!;
    return repeat.map((outcome, place): Compared => {
      const vote = votes[place]!;
      return {
        pair: { gold: result.items[place]!.gold, from: vote.said, to: outcome.said },
        extra: moreThan(outcome, vote),
      };
    });
  });
  return { ...gainOf(result, compared), estimated: false };
}

function moreThan(outcome: BenchItemResult, other: BenchItemResult): Spent {
  if (!outcome.usage || !other.usage) return null;
  const prices = [outcome.usage.costUsd, other.usage.costUsd] as const;
  return {
    tokens: tokensOf(outcome.usage) - tokensOf(other.usage),
    usd: prices[0] === null || prices[1] === null ? null : prices[0] - prices[1],
  };
}

/** Figures over all repeats; lists of items from the first. */
function gainOf(result: BenchResult, compared: readonly (readonly (Compared | null)[])[]): Omit<Gain, 'estimated'> {
  const { classes, positive, parameters } = result;
  const counted = compared.map((repeat) =>
    repeat.map((item) => (item && (parameters.invalid === 'error' || decided(item.pair, classes)) ? item : null)),
  );
  const pairs: Pairs = counted.map((repeat) => repeat.map((item) => item && item.pair));
  const metric = positive === null ? 'balancedAccuracy' : 'f1';
  const extras = counted.flat().flatMap((item) => item?.extra ?? []);
  const items = (counted[0] ?? []).filter((item) => item !== null).length;
  return {
    metric,
    gain: estimateGain(pairs, { metric, classes, positive }, parameters.seed),
    accuracy: estimateGain(pairs, { metric: 'accuracy', classes, positive }, parameters.seed),
    extraTokens: meanOf(extras.map(({ tokens }) => tokens)),
    extraUsd: meanOf(extras.map(({ usd }) => usd)),
    ...changesIn(result, counted[0] ?? []),
    items,
    leftOut: result.items.length - items,
  };
}

/** The paper leaves out what could not be read; an item that one side did not decide is left out of both. */
function decided({ gold, from, to }: SaidTwice, classes: readonly string[]): boolean {
  return gold !== null && classes.includes(from) && classes.includes(to);
}

function changesIn(
  result: BenchResult,
  compared: readonly (Compared | null)[],
): Pick<Gain, 'better' | 'worse' | 'otherwise'> {
  const changes = compared.flatMap((item, place): FigureChange[] => {
    if (!item || item.pair.gold === null || item.pair.from === item.pair.to) return [];
    const { line, id } = result.items[place]!;
    return [{ line, id, gold: item.pair.gold, from: item.pair.from, to: item.pair.to }];
  });
  return {
    better: changes.filter(({ gold, to }) => to === gold),
    worse: changes.filter(({ gold, from }) => from === gold),
    otherwise: changes.filter(({ gold, from, to }) => from !== gold && to !== gold),
  };
}

/** One item as two systems judged it; `gold` is null for a broken line. */
interface SaidTwice {
  gold: string | null;
  /** What is held against. */
  from: string;
  to: string;
}

/** Repeats with a place for each item; null where an item is left out of both sides. */
type Pairs = readonly (readonly (SaidTwice | null)[])[];

interface GainRule {
  metric: 'accuracy' | 'f1' | 'balancedAccuracy';
  classes: readonly string[];
  positive: string | null;
}

/**
 * By how much `to` exceeds `from` as the mean over repeats. Both sides are drawn alike, an item with all its repeats.
 */
function estimateGain(pairs: Pairs, { metric, classes, positive }: GainRule, seed = 1): Estimate {
  const scores: Record<GainRule['metric'], (table: ConfusionMatrix) => number | null> = {
    accuracy: matrixAccuracy,
    balancedAccuracy,
    f1: (table) => f1(oneAgainstAll(table, classes.indexOf(positive!))),
  };
  const resamples = drawResamples(seed);
  const side = (of: 'from' | 'to') => {
    const repeats = pairs.map((repeat) =>
      placeInMatrix(
        repeat.map((pair) => pair && { gold: pair.gold, said: pair[of] }),
        { classes, leaveOut: false, alarms: positive !== null },
      ),
    );
    return bootstrapStatistics(resamples, pairs[0]?.length ?? 0, (weights) => ({
      gain: meanOf(repeats.map((cells) => scores[metric](countMatrix(cells, weights)))),
    }));
  };
  return pairedDifference(side('to'), side('from'), 'gain').difference;
}
