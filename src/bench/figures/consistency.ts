import type { ScoreSheet, SystemSheet } from '../sheet.ts';
import { counts, wholeSheet } from './counted.ts';
import { measured } from './scores.ts';
import type { SystemFigureSet } from './set-figures.ts';
import { krippendorffAlpha, passK, type Resamples, standardDeviation } from '../../statistics/index.ts';

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
