import type { BenchResult, BenchItemResult, SystemResult } from '../result.ts';
import { isCounted, givesProbabilities, finiteScore, selectAll } from './count-repeats.ts';
import { scoreGroup } from './groups.ts';
import type { RaterAgreement, SystemFigureSet } from './set-figures.ts';
import {
  agreementWithRaters,
  cohenKappa,
  krippendorffAlpha,
  meanOf,
  percentAgreement,
  type Ratings,
  type Resamples,
  shareOf,
  softBrier,
  unanimous,
  passK,
  standardDeviation,
} from '@agonhq/engine/statistics';
import { scoreSystem } from './scores.ts';

/** How alike the repeats are; null with one. */
export function measureConsistency(result: BenchResult, system: SystemResult): SystemFigureSet['consistency'] {
  const { repeats } = system;
  if (repeats.length < 2) return null;
  const said = result.items.map((_, place) => repeats.map((outcomes) => outcomes[place]!.said));
  const trials = result.items.map((item, place) => {
    const counted = repeats
      .map((outcomes) => outcomes[place]!)
      .filter((outcome) => isCounted(result, item, outcome, result.parameters.invalid));
    return { runs: counted.length, right: counted.filter((outcome) => outcome.said === item.gold).length };
  });
  const scores = repeats.map(
    (outcomes) => scoreSystem(selectAll(result), { ...system, repeats: [outcomes] }, undrawn).value,
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
export function splitByRaters(
  result: BenchResult,
  system: SystemResult,
  resamples: Resamples,
): SystemFigureSet['humanSplit'] {
  const rated = ratedPlaces(result);
  if (rated.length === 0) return null;
  const agreed = (place: number) => unanimous(ratersAt(result, place));
  return {
    unanimous: scoreGroup(result, system, ['unanimous', rated.filter(agreed)], resamples),
    split: scoreGroup(result, system, ['split', rated.filter((place) => !agreed(place))], resamples),
    agreementWithRaters: meanOf(
      system.repeats.map((outcomes) => agreementWithRaters(counted(result, rated, outcomes))),
    ),
    softBrier: givesProbabilities(system)
      ? meanOf(system.repeats.map((outcomes) => againstShares(result, rated, outcomes)))
      : null,
  };
}

/** How people agreed among themselves; null where no item was rated by two or more. */
export function measureRaterAgreement(result: BenchResult): RaterAgreement | null {
  const ratings = ratedPlaces(result).map((place) => ratersAt(result, place));
  return ratings.length === 0 ? null : describeAgreement(ratings, Math.max(...ratings.map(({ length }) => length)));
}

/** The same of items that two or more rated each, by how many there are in all. */
export function describeAgreement(ratings: readonly Ratings[], raters: number): RaterAgreement {
  const listOf = (rater: 0 | 1) => ratings.map((rating) => rating[rater]!);
  return {
    items: ratings.length,
    raters,
    percent: percentAgreement(ratings),
    cohen: raters === 2 && ratings.length > 0 ? cohenKappa(listOf(0), listOf(1)) : null,
    krippendorff: krippendorffAlpha(ratings),
  };
}

function ratedPlaces({ items }: BenchResult): number[] {
  return items.flatMap(({ raters }, place) => (raters !== null && raters.length > 1 ? [place] : []));
}

function ratersAt({ items }: BenchResult, place: number): readonly string[] {
  return items[place]!.raters ?? [];
}

function counted(
  result: BenchResult,
  places: readonly number[],
  outcomes: readonly BenchItemResult[],
): { said: string; raters: readonly string[] }[] {
  return places
    .filter((place) => isCounted(result, result.items[place]!, outcomes[place]!, result.parameters.invalid))
    .map((place) => ({ said: outcomes[place]!.said, raters: ratersAt(result, place) }));
}

/** Of the items that count and have a score. */
function againstShares(
  result: BenchResult,
  places: readonly number[],
  outcomes: readonly BenchItemResult[],
): number | null {
  const { positive } = result;
  if (positive === null) return null;
  return softBrier(
    places.flatMap((place) => {
      const probability = finiteScore(outcomes[place]!);
      const left =
        probability === null || !isCounted(result, result.items[place]!, outcomes[place]!, result.parameters.invalid);
      return left ? [] : [{ probability, share: shareOf(ratersAt(result, place), positive) }];
    }),
  );
}
