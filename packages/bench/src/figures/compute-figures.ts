import type { BenchResult, SystemResult } from '../result.ts';
import { scoreClasses, countConfusion, computeCurves } from './class-figures.ts';
import { compareSystems, type MeasuredFigure } from './comparisons.ts';
import { measureConsistency, splitByRaters, measureRaterAgreement } from './agreement-figures.ts';
import { sumCosts } from './cost.ts';
import { isCounted, selectAll } from './count-repeats.ts';
import { scoreGroup, groupItems, type Group } from './groups.ts';
import { computeDebateGains } from './debate-gains.ts';
import { scoreSystem, toScores } from './scores.ts';
import type { SetFigures, SystemFigureSet } from './set-figures.ts';
import { drawResamples, estimateFrom, type Resamples } from '@agonhq/engine/statistics';

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
