import type { BenchResult, ResultItem, BenchItemResult, BenchParameters, SystemResult } from '../result.ts';
import {
  type Forecast,
  type Forecasts,
  type MatrixPlaces,
  placeInMatrix,
  type Ranking,
  rankItems,
  sortForecasts,
} from '@agonhq/engine/statistics';

export type InvalidRule = BenchParameters['invalid'];

/** One repeat of a system over some items, as numbers that resamples weigh. */
export interface CountedRepeat {
  cells: MatrixPlaces;
  /** Null where the result has no positive class, or no item got a score. */
  ranking: Ranking | null;
  /** Null there too, and where a score is no probability. */
  forecasts: Forecasts | null;
}

/** What figures are made of: some items of the result by one of the two rules, in their order. */
export interface Selection {
  result: BenchResult;
  /** Places among the sheet's items. */
  places: readonly number[];
  rule: InvalidRule;
}

export function selectAll(result: BenchResult, rule: InvalidRule = result.parameters.invalid): Selection {
  return { result, places: [...result.items.keys()], rule };
}

export function countRepeats(selection: Selection, system: SystemResult): CountedRepeat[] {
  return system.repeats.map((outcomes) => countedRepeat(selection, outcomes, givesProbabilities(system)));
}

export function placeOutcomes({ result, places, rule }: Selection, outcomes: readonly BenchItemResult[]): MatrixPlaces {
  const judgements = places.map((place) => ({ gold: result.items[place]!.gold, said: outcomes[place]!.said }));
  return placeInMatrix(judgements, {
    classes: result.classes,
    leaveOut: rule === 'exclude',
    alarms: result.positive !== null,
  });
}

function countedRepeat(
  selection: Selection,
  outcomes: readonly BenchItemResult[],
  probabilities: boolean,
): CountedRepeat {
  const ranking = rankOutcomes(selection, outcomes);
  return {
    cells: placeOutcomes(selection, outcomes),
    ranking,
    forecasts: ranking && probabilities ? sortForecasts(listForecasts(selection, outcomes)) : null,
  };
}

/** An item without a score is ranked as badly as can be; where none has a score, there is no ranking. */
export function rankOutcomes(
  { result, places, rule }: Selection,
  outcomes: readonly BenchItemResult[],
): Ranking | null {
  const scored = places.map((place) => {
    const [item, outcome] = [result.items[place]!, outcomes[place]!];
    return {
      positive: item.gold !== null && isCounted(result, item, outcome, rule) ? item.gold === result.positive : null,
      score: finiteScore(outcome),
    };
  });
  return result.positive !== null && scored.some(({ positive, score }) => positive !== null && score !== null)
    ? rankItems(scored)
    : null;
}

/** Null for items without a right label or a score, and for those that the rule leaves out. */
export function listForecasts(
  { result, places, rule }: Selection,
  outcomes: readonly BenchItemResult[],
): (Forecast | null)[] {
  return places.map((place) => {
    const [item, outcome] = [result.items[place]!, outcomes[place]!];
    const probability = finiteScore(outcome);
    return item.gold === null || probability === null || !isCounted(result, item, outcome, rule)
      ? null
      : { probability, positive: item.gold === result.positive };
  });
}

/** Whether an item counts by the rule: the paper's leaves out what nobody decided and broken lines. */
export function isCounted(
  { classes }: BenchResult,
  { gold }: ResultItem,
  { said }: BenchItemResult,
  rule: InvalidRule,
): boolean {
  return rule === 'error' || (gold !== null && classes.includes(said));
}

/** Whether every score of a system can be a probability. */
export function givesProbabilities({ repeats }: SystemResult): boolean {
  return repeats.every((outcomes) =>
    outcomes.every((outcome) => (finiteScore(outcome) ?? 0) >= 0 && (finiteScore(outcome) ?? 0) <= 1),
  );
}

export function finiteScore({ score }: BenchItemResult): number | null {
  return score !== null && Number.isFinite(score) ? score : null;
}
