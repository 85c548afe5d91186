import type { BenchResult, SystemResult } from '../result.ts';
import { scoreClasses, countConfusion, computeCurves } from './class-figures.ts';
import { measureConsistency, splitByRaters, measureRaterAgreement } from './agreement-figures.ts';
import { sumCosts } from './cost.ts';
import { isCounted, selectAll } from './count-repeats.ts';
import { scoreGroup, groupItems, type Group } from './groups.ts';
import { computeDebateGains } from './debate-gains.ts';
import { scoreSystem, toScores, type ScoreName } from './scores.ts';
import type { Comparison, SetFigures, SystemFigureSet } from './set-figures.ts';
import {
  drawResamples,
  estimateFrom,
  holmCorrection,
  mcnemarExact,
  pairedDifference,
  type Bootstrapped,
  type Resamples,
} from '@agonhq/engine/statistics';

/**
 * Every figure of a score result. Figures are means over a system's repeats; intervals are 95 % percentile bootstrap
 * intervals of 1,000 resamples whose draws follow from the number of items and the sheet's seed, alike for all
 * systems; where all items are judged alike, Wilson's.
 */
export function computeFigures(result: BenchResult): SetFigures {
  const resamples = drawResamples(result.parameters.seed);
  const systems = result.systems.map((system) => ({
    system,
    figures: scoreSystem(selectAll(result), system, resamples),
  }));
  const groups = {
    category: groupItems(result, ({ category }) => category),
    modality: groupItems(result, ({ modality }) => modality),
  };
  return {
    systems: systems.map((system) => systemFigures(result, system, groups, resamples)),
    comparisons: compareSystems(result, systems),
    receipts: computeDebateGains(result),
    raters: measureRaterAgreement(result),
  };
}

type Groups = Record<'category' | 'modality', readonly Group[]>;

function systemFigures(
  result: BenchResult,
  { system, figures }: MeasuredFigure,
  groups: Groups,
  resamples: Resamples,
): SystemFigureSet {
  const scoresBy = (common: keyof Groups) =>
    groups[common].map((group) => scoreGroup(result, system, group, resamples));
  return {
    name: system.name,
    scores: toScores(figures),
    otherRule: byOtherRule(result, { system, figures }, resamples),
    withoutTrivial: withoutTrivial(result, { system, figures }, resamples),
    byClass: scoreClasses(result, system),
    confusion: countConfusion(result, system),
    byCategory: scoresBy('category'),
    byModality: scoresBy('modality'),
    kappa: estimateFrom(figures, 'kappa', figures.value.rarest ?? 0),
    ...computeCurves(result, system),
    consistency: measureConsistency(result, system),
    humanSplit: splitByRaters(result, system, resamples),
    cost: sumCosts(system),
    unsettled: listUnsettled(result, system),
  };
}

function byOtherRule(
  result: BenchResult,
  { system, figures }: MeasuredFigure,
  resamples: Resamples,
): SystemFigureSet['otherRule'] {
  const rule = result.parameters.invalid === 'error' ? 'exclude' : 'error';
  const scores = toScores(allCount(result, system) ? figures : scoreSystem(selectAll(result, rule), system, resamples));
  const items = [scores.items, figures.value.items ?? 0];
  return { rule, leftOut: Math.max(...items) - Math.min(...items), scores };
}

/** Whether every item was decided, so that both rules are one. */
function allCount(result: BenchResult, { repeats }: MeasuredFigure['system']): boolean {
  return repeats.every((outcomes) =>
    outcomes.every((outcome, place) => isCounted(result, result.items[place]!, outcome, 'exclude')),
  );
}

function withoutTrivial(
  result: BenchResult,
  { system }: MeasuredFigure,
  resamples: Resamples,
): SystemFigureSet['withoutTrivial'] {
  const selection = selectAll(result);
  const places = selection.places.filter((place) => !result.items[place]!.trivial);
  return places.length === selection.places.length
    ? null
    : toScores(scoreSystem({ ...selection, places }, system, resamples));
}

/** Items that nobody decided, or that failed, in any repeat: each once, in the order of the data. */
function listUnsettled({ items }: BenchResult, { repeats }: SystemResult): SystemFigureSet['unsettled'] {
  const places = (label: string) =>
    items.flatMap(({ line, id }, place) => {
      const found = repeats.map((outcomes) => outcomes[place]!).find(({ said }) => said === label);
      return found ? [{ line, id, problem: found.problem }] : [];
    });
  return { undecided: places('undecided').map(({ line, id }) => ({ line, id })), failed: places('failed') };
}

/** A system with all that was measured of it by the sheet's rule. */
interface MeasuredFigure {
  system: SystemResult;
  figures: Bootstrapped<ScoreName>;
}

/**
 * The first system beside every other, by its leading metric and by accuracy. McNemar's test is one for a pair of
 * systems, whatever the metric: it is corrected over the pairs, and both rows show it.
 */
function compareSystems(result: BenchResult, [first, ...others]: readonly MeasuredFigure[]): Comparison[] {
  if (!first) return [];
  const ours = rightness(result, first.system);
  const pairs = others.map((other) => ({ other, ...discordance(ours, rightness(result, other.system)) }));
  const corrected = holmCorrection(pairs.map(({ mcnemar }) => mcnemar));
  const metrics = [result.positive === null ? 'balancedAccuracy' : 'f1', 'accuracy'] as const;
  return pairs.flatMap(({ other, onlyFirst, onlySecond, mcnemar }, pair) =>
    metrics.map((metric) => {
      const { difference, p } = pairedDifference(first.figures, other.figures, metric);
      return {
        first: first.system.name,
        second: other.system.name,
        metric,
        difference,
        onlyFirst,
        onlySecond,
        mcnemar,
        bootstrap: p,
        corrected: corrected[pair]!,
      };
    }),
  );
}

/**
 * Whether a system judged each item rightly: with several repeats, in more than half of those that count. Null where
 * none counts.
 */
function rightness(result: BenchResult, { repeats }: SystemResult): (boolean | null)[] {
  return result.items.map((item, place) => {
    const counted = repeats
      .map((outcomes) => outcomes[place]!)
      .filter((outcome) => isCounted(result, item, outcome, result.parameters.invalid));
    const right = counted.filter(({ said }) => said === item.gold).length;
    return counted.length === 0 ? null : right > counted.length / 2;
  });
}

function discordance(
  first: readonly (boolean | null)[],
  second: readonly (boolean | null)[],
): Pick<Comparison, 'onlyFirst' | 'onlySecond' | 'mcnemar'> {
  const onlyFirst = first.filter((right, place) => right === true && second[place] === false).length;
  const onlySecond = first.filter((right, place) => right === false && second[place] === true).length;
  const both = first.some((right, place) => right !== null && second[place] !== null);
  return { onlyFirst, onlySecond, mcnemar: both ? mcnemarExact(onlyFirst, onlySecond) : null };
}
