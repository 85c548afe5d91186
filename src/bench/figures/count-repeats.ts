import type { ScoreSheet, SheetItem, SheetOutcome, SheetParameters, SystemSheet } from '../result.ts';
import {
  type Forecast,
  type Forecasts,
  type MatrixPlaces,
  placeInMatrix,
  type Ranking,
  rankItems,
  sortForecasts,
} from '../../statistics/index.ts';

export type InvalidRule = SheetParameters['invalid'];

/** One repeat of a system over some items, as numbers that resamples weigh. */
export interface CountedRepeat {
  cells: MatrixPlaces;
  /** Null where the sheet has no positive class, or no item got a score. */
  ranking: Ranking | null;
  /** Null there too, and where a score is no probability. */
  forecasts: Forecasts | null;
}

/** What figures are made of: some items of the sheet by one of the two rules, in their order. */
export interface Selection {
  sheet: ScoreSheet;
  /** Places among the sheet's items. */
  places: readonly number[];
  rule: InvalidRule;
}

export function wholeSheet(sheet: ScoreSheet, rule: InvalidRule = sheet.parameters.invalid): Selection {
  return { sheet, places: [...sheet.items.keys()], rule };
}

export function countedRepeats(selection: Selection, system: SystemSheet): CountedRepeat[] {
  return system.repeats.map((outcomes) => countedRepeat(selection, outcomes, givesProbabilities(system)));
}

export function cellsOf({ sheet, places, rule }: Selection, outcomes: readonly SheetOutcome[]): MatrixPlaces {
  const judgements = places.map((place) => ({ gold: sheet.items[place]!.gold, said: outcomes[place]!.said }));
  return placeInMatrix(judgements, {
    classes: sheet.classes,
    leaveOut: rule === 'exclude',
    alarms: sheet.positive !== null,
  });
}

function countedRepeat(selection: Selection, outcomes: readonly SheetOutcome[], probabilities: boolean): CountedRepeat {
  const ranking = rankingIn(selection, outcomes);
  return {
    cells: cellsOf(selection, outcomes),
    ranking,
    forecasts: ranking && probabilities ? sortForecasts(forecastsIn(selection, outcomes)) : null,
  };
}

/** An item without a score is ranked as badly as can be; where none has a score, there is no ranking. */
export function rankingIn({ sheet, places, rule }: Selection, outcomes: readonly SheetOutcome[]): Ranking | null {
  const scored = places.map((place) => {
    const [item, outcome] = [sheet.items[place]!, outcomes[place]!];
    return {
      positive: item.gold !== null && counts(sheet, item, outcome, rule) ? item.gold === sheet.positive : null,
      score: scoreOf(outcome),
    };
  });
  return sheet.positive !== null && scored.some(({ positive, score }) => positive !== null && score !== null)
    ? rankItems(scored)
    : null;
}

/** Null for items without a right label or a score, and for those that the rule leaves out. */
export function forecastsIn(
  { sheet, places, rule }: Selection,
  outcomes: readonly SheetOutcome[],
): (Forecast | null)[] {
  return places.map((place) => {
    const [item, outcome] = [sheet.items[place]!, outcomes[place]!];
    const probability = scoreOf(outcome);
    return item.gold === null || probability === null || !counts(sheet, item, outcome, rule)
      ? null
      : { probability, positive: item.gold === sheet.positive };
  });
}

/** Whether an item counts by the rule: the paper's leaves out what nobody decided and broken lines. */
export function counts(
  { classes }: ScoreSheet,
  { gold }: SheetItem,
  { said }: SheetOutcome,
  rule: InvalidRule,
): boolean {
  return rule === 'error' || (gold !== null && classes.includes(said));
}

/** Whether every score of a system can be a probability. */
export function givesProbabilities({ repeats }: SystemSheet): boolean {
  return repeats.every((outcomes) =>
    outcomes.every((outcome) => (scoreOf(outcome) ?? 0) >= 0 && (scoreOf(outcome) ?? 0) <= 1),
  );
}

export function scoreOf({ score }: SheetOutcome): number | null {
  return score !== null && Number.isFinite(score) ? score : null;
}
