import type { ScoreSheet, SheetOutcome, SystemSheet } from '../result.ts';
import { counts, givesProbabilities, scoreOf, wholeSheet } from './count-repeats.ts';
import { groupScores } from './groups.ts';
import type { RaterAgreement, SystemFigureSet } from './set-figures.ts';
import {
  agreementWithRaters,
  cohenKappa,
  krippendorffAlpha,
  meanOf,
  percentAgreement,
  type Resamples,
  shareOf,
  softBrier,
  unanimous,
  passK,
  standardDeviation,
} from '../../statistics/index.ts';
import { measured } from './scores.ts';

/** How alike the repeats are; null with one. */
export function consistencyOf(sheet: ScoreSheet, system: SystemSheet): SystemFigureSet['consistency'] {
  const { repeats } = system;
  if (repeats.length < 2) return null;
  const said = sheet.items.map((_, place) => repeats.map((outcomes) => outcomes[place]!.said));
  const trials = sheet.items.map((item, place) => {
    const counted = repeats
      .map((outcomes) => outcomes[place]!)
      .filter((outcome) => counts(sheet, item, outcome, sheet.parameters.invalid));
    return { runs: counted.length, right: counted.filter((outcome) => outcome.said === item.gold).length };
  });
  const scores = repeats.map(
    (outcomes) => measured(wholeSheet(sheet), { ...system, repeats: [outcomes] }, undrawn).value,
  );
  return {
    repeats: repeats.length,
    // What failed got no label.
    sameLabel:
      said.length === 0
        ? 0
        : said.filter((labels) => labels[0] !== 'failed' && labels.every((label) => label === labels[0])).length /
          said.length,
    passK: repeats.map((_, index) => passK(trials, index + 1)),
    alpha: krippendorffAlpha(said.map((labels) => labels.map((label) => (label === 'failed' ? null : label)))),
    spread: {
      accuracy: standardDeviation(scores.map(({ accuracy }) => accuracy)),
      f1: standardDeviation(scores.map(({ f1 }) => f1)),
    },
  };
}

/** For values without an interval. */
const undrawn: Resamples = () => {};

/** How a system fares where people agreed and where they did not; null where no item was rated by two or more. */
export function humanSplit(
  sheet: ScoreSheet,
  system: SystemSheet,
  resamples: Resamples,
): SystemFigureSet['humanSplit'] {
  const rated = ratedPlaces(sheet);
  if (rated.length === 0) return null;
  const agreed = (place: number) => unanimous(ratersAt(sheet, place));
  return {
    unanimous: groupScores(sheet, system, ['unanimous', rated.filter(agreed)], resamples),
    split: groupScores(sheet, system, ['split', rated.filter((place) => !agreed(place))], resamples),
    agreementWithRaters: meanOf(system.repeats.map((outcomes) => agreementWithRaters(counted(sheet, rated, outcomes)))),
    softBrier: givesProbabilities(system)
      ? meanOf(system.repeats.map((outcomes) => againstShares(sheet, rated, outcomes)))
      : null,
  };
}

/** How people agreed among themselves; null where no item was rated by two or more. */
export function raterAgreement(sheet: ScoreSheet): RaterAgreement | null {
  const ratings = ratedPlaces(sheet).map((place) => ratersAt(sheet, place));
  if (ratings.length === 0) return null;
  const raters = Math.max(...new Set(ratings.map(({ length }) => length)));
  return {
    items: ratings.length,
    raters,
    percent: percentAgreement(ratings),
    cohen:
      raters === 2
        ? cohenKappa(
            ratings.map(([first]) => first!),
            ratings.map(([, second]) => second!),
          )
        : null,
    krippendorff: krippendorffAlpha(ratings),
  };
}

function ratedPlaces({ items }: ScoreSheet): number[] {
  return items.flatMap(({ raters }, place) => (raters !== null && raters.length > 1 ? [place] : []));
}

function ratersAt({ items }: ScoreSheet, place: number): readonly string[] {
  return items[place]!.raters ?? [];
}

function counted(
  sheet: ScoreSheet,
  places: readonly number[],
  outcomes: readonly SheetOutcome[],
): { said: string; raters: readonly string[] }[] {
  return places
    .filter((place) => counts(sheet, sheet.items[place]!, outcomes[place]!, sheet.parameters.invalid))
    .map((place) => ({ said: outcomes[place]!.said, raters: ratersAt(sheet, place) }));
}

/** Of the items that count and have a score. */
function againstShares(sheet: ScoreSheet, places: readonly number[], outcomes: readonly SheetOutcome[]): number | null {
  const { positive } = sheet;
  if (positive === null) return null;
  return softBrier(
    places.flatMap((place) => {
      const probability = scoreOf(outcomes[place]!);
      const left =
        probability === null || !counts(sheet, sheet.items[place]!, outcomes[place]!, sheet.parameters.invalid);
      return left ? [] : [{ probability, share: shareOf(ratersAt(sheet, place), positive) }];
    }),
  );
}
