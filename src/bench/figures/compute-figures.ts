import type { ScoreSheet, SystemSheet } from '../result.ts';
import { byClass, confusionIn, curvesOf } from './class-figures.ts';
import { comparisonsOf, type Measured } from './comparisons.ts';
import { consistencyOf, humanSplit, raterAgreement } from './agreement-figures.ts';
import { costOf } from './cost.ts';
import { counts, wholeSheet } from './count-repeats.ts';
import { groupScores, groupsOf, type Group } from './groups.ts';
import { receiptsOf } from './debate-gains.ts';
import { measured, scoresOf } from './scores.ts';
import type { SetFigures, SystemFigureSet } from './set-figures.ts';
import { drawResamples, estimateFrom, type Resamples } from '../../statistics/index.ts';

/**
 * Every figure of a score sheet. Figures are means over a system's repeats; intervals are 95 % percentile bootstrap
 * intervals of 1,000 resamples whose draws follow from the number of items and the sheet's seed, alike for all
 * systems.
 */
export function figuresOf(sheet: ScoreSheet): SetFigures {
  const resamples = drawResamples(sheet.parameters.seed);
  const systems = sheet.systems.map((system) => ({ system, figures: measured(wholeSheet(sheet), system, resamples) }));
  const groups = {
    category: groupsOf(sheet, ({ category }) => category),
    modality: groupsOf(sheet, ({ modality }) => modality),
  };
  return {
    systems: systems.map((system) => systemFigures(sheet, system, groups, resamples)),
    comparisons: comparisonsOf(sheet, systems),
    receipts: receiptsOf(sheet),
    raters: raterAgreement(sheet),
  };
}

type Groups = Record<'category' | 'modality', readonly Group[]>;

function systemFigures(
  sheet: ScoreSheet,
  { system, figures }: Measured,
  groups: Groups,
  resamples: Resamples,
): SystemFigureSet {
  const scoresBy = (common: keyof Groups) =>
    groups[common].map((group) => groupScores(sheet, system, group, resamples));
  return {
    name: system.name,
    scores: scoresOf(figures),
    otherRule: byOtherRule(sheet, { system, figures }, resamples),
    withoutTrivial: withoutTrivial(sheet, { system, figures }, resamples),
    byClass: byClass(sheet, system),
    confusion: confusionIn(sheet, system),
    byCategory: scoresBy('category'),
    byModality: scoresBy('modality'),
    kappa: estimateFrom(figures, 'kappa'),
    ...curvesOf(sheet, system),
    consistency: consistencyOf(sheet, system),
    humanSplit: humanSplit(sheet, system, resamples),
    cost: costOf(system),
    unsettled: unsettledIn(sheet, system),
  };
}

function byOtherRule(
  sheet: ScoreSheet,
  { system, figures }: Measured,
  resamples: Resamples,
): SystemFigureSet['otherRule'] {
  const rule = sheet.parameters.invalid === 'error' ? 'exclude' : 'error';
  const scores = scoresOf(allCount(sheet, system) ? figures : measured(wholeSheet(sheet, rule), system, resamples));
  const items = [scores.items, figures.value.items ?? 0];
  return { rule, leftOut: Math.max(...items) - Math.min(...items), scores };
}

/** Whether every item was decided, so that both rules are one. */
function allCount(sheet: ScoreSheet, { repeats }: Measured['system']): boolean {
  return repeats.every((outcomes) =>
    outcomes.every((outcome, place) => counts(sheet, sheet.items[place]!, outcome, 'exclude')),
  );
}

function withoutTrivial(
  sheet: ScoreSheet,
  { system }: Measured,
  resamples: Resamples,
): SystemFigureSet['withoutTrivial'] {
  const selection = wholeSheet(sheet);
  const places = selection.places.filter((place) => !sheet.items[place]!.trivial);
  return places.length === selection.places.length
    ? null
    : scoresOf(measured({ ...selection, places }, system, resamples));
}

/** Items that nobody decided, or that failed, in any repeat: each once, in the order of the data. */
function unsettledIn({ items }: ScoreSheet, { repeats }: SystemSheet): SystemFigureSet['unsettled'] {
  const places = (label: string) =>
    items.flatMap(({ line, id }, place) => {
      const found = repeats.map((outcomes) => outcomes[place]!).find(({ said }) => said === label);
      return found ? [{ line, id, problem: found.problem }] : [];
    });
  return { undecided: places('undecided').map(({ line, id }) => ({ line, id })), failed: places('failed') };
}
