import type { ItemScreen, ScreenReason } from './screen-items.ts';
import { cohenKappa, krippendorffAlpha, percentAgreement, ratio } from '@agonhq/engine/statistics';

/**
 * What a screening found, for people. Undecided and failed systems give an item no rating where systems are compared.
 */
export interface ScreenSummary {
  items: number;
  labelled: number;
  flagged: number;
  /** The paper: 25.9 %. */
  share: number | null;
  /** An item may have several reasons. */
  reasons: Record<ScreenReason['why'], number>;
  /** The mean over items. */
  difficulty: number | null;
  systems: SystemAgreement[];
  /** Every pair of systems once, in their order. */
  pairs: { first: string; second: string; items: number; percent: number | null; kappa: number | null }[];
  /** Of all systems together. */
  agreement: { percent: number | null; krippendorff: number | null };
}

export interface SystemAgreement {
  name: string;
  /** Of the items that have a label: how many it gave the same, an undecided or failed one being none. */
  withLabel: { items: number; same: number; share: number | null; kappa: number | null };
  undecided: number;
  failed: number;
}

export function screenSummary(
  screens: readonly ItemScreen[],
  names: readonly string[],
  classes: readonly string[],
): ScreenSummary {
  const flagged = screens.filter(({ reasons }) => reasons.length > 0).length;
  const rated = new Map(
    names.map((name) => [name, screens.map(({ systems }) => ratingIn(systems[name]!.label, classes))]),
  );
  const ratings = screens.map((_, place) => names.map((name) => rated.get(name)![place]!));
  const withReason = (why: ScreenReason['why']) =>
    screens.filter(({ reasons }) => reasons.some((reason) => reason.why === why)).length;
  return {
    items: screens.length,
    labelled: screens.filter(({ gold }) => gold !== null).length,
    flagged,
    share: ratio(flagged, screens.length),
    reasons: {
      'against-label': withReason('against-label'),
      disagreement: withReason('disagreement'),
      undecided: withReason('undecided'),
      failed: withReason('failed'),
    },
    difficulty: ratio(
      screens.reduce((sum, { difficulty }) => sum + difficulty, 0),
      screens.length,
    ),
    systems: names.map((name) => systemAgreement(name, screens, rated.get(name)!)),
    pairs: names.flatMap((first, index) =>
      names
        .slice(index + 1)
        .map((second) => ({ first, second, ...pairAgreement(rated.get(first)!, rated.get(second)!) })),
    ),
    agreement: { percent: percentAgreement(ratings), krippendorff: krippendorffAlpha(ratings) },
  };
}

type Rating = string | null;

function ratingIn(label: string, classes: readonly string[]): Rating {
  return classes.includes(label) ? label : null;
}

function systemAgreement(name: string, screens: readonly ItemScreen[], rated: readonly Rating[]): SystemAgreement {
  const labelled = screens.flatMap(({ gold }, place) => (gold === null ? [] : [{ gold, said: rated[place]! }]));
  const decided = labelled.filter((one): one is { gold: string; said: string } => one.said !== null);
  const same = decided.filter(({ gold, said }) => gold === said).length;
  const labels = screens.map(({ systems }) => systems[name]!.label);
  const failed = labels.filter((label) => label === 'failed').length;
  return {
    name,
    withLabel: {
      items: labelled.length,
      same,
      share: ratio(same, labelled.length),
      kappa: cohenKappa(
        decided.map(({ gold }) => gold),
        decided.map(({ said }) => said),
      ),
    },
    undecided: rated.filter((rating) => rating === null).length - failed,
    failed,
  };
}

function pairAgreement(
  first: readonly Rating[],
  second: readonly Rating[],
): { items: number; percent: number | null; kappa: number | null } {
  const both = first.flatMap((one, place): [string, string][] => {
    const other = second[place]!;
    return one === null || other === null ? [] : [[one, other]];
  });
  return {
    items: both.length,
    percent: ratio(both.filter(([one, other]) => one === other).length, both.length),
    kappa: cohenKappa(
      both.map(([one]) => one),
      both.map(([, other]) => other),
    ),
  };
}
