import { krippendorffAlpha, percentAgreement } from './agreement.ts';
import { cohenKappa } from './kappa.ts';
import { meanOf } from './mean.ts';
import { ratio } from './ratio.ts';

/** How far people agree who judged the same items, all together and two by two. */
export interface AgreementBetween {
  /** Items that two or more judged. */
  items: number;
  raters: string[];
  percent: number | null;
  /** Of two raters Cohen's; of more, the mean over their pairs. */
  kappa: number | null;
  alpha: number | null;
  pairs: { between: [string, string]; items: number; percent: number | null; kappa: number | null }[];
}

/** Of each item what was said by whom. */
export function agreementBetween(items: readonly ReadonlyMap<string, string>[]): AgreementBetween {
  const judged = items.filter((said) => said.size > 1);
  const raters = [...new Set(judged.flatMap((said) => [...said.keys()]))].toSorted();
  const labels = judged.map((said) => [...said.values()]);
  const pairs = pairsIn(judged, raters);
  return {
    items: judged.length,
    raters,
    percent: percentAgreement(labels),
    kappa: meanOf(pairs.flatMap(({ kappa }) => (kappa === null ? [] : [kappa]))),
    alpha: krippendorffAlpha(labels),
    pairs,
  };
}

/** Only of those who met on an item. */
function pairsIn(items: readonly ReadonlyMap<string, string>[], raters: readonly string[]): AgreementBetween['pairs'] {
  return raters.flatMap((one, index) => {
    const known = items.filter((said) => said.has(one));
    return raters.slice(index + 1).flatMap((other) => {
      const both = known.filter((said) => said.has(other));
      if (both.length === 0) return [];
      const [first, second] = [both.map((said) => said.get(one)!), both.map((said) => said.get(other)!)];
      return [
        {
          between: [one, other] as [string, string],
          items: both.length,
          percent: ratio(first.filter((label, item) => label === second[item]).length, both.length),
          kappa: cohenKappa(first, second),
        },
      ];
    });
  });
}
