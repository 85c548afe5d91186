import { fitCascade, findSide, type ScoredItem } from '@agonhq/core/runs';
import { clopperPearson, randomNumbers, shuffleByLot } from '@agonhq/engine/statistics';

/** What cascades that were fitted on four folds made of the fifth, over all folds of all divisions. */
export interface HeldOut {
  items: number;
  fits: number;
  /**
   * Of the fits, how many found a band. One without leaves everything to the debate: nothing decided, nothing wrong.
   */
  bands: number;
  /** The share of held-out items that was decided. */
  decided: number;
  /**
   * Of those, the share that was wrong, with the exact 95 % interval of one division's numbers: the others see the
   * same items again.
   */
  risk: { share: number; from: number; to: number };
  /** Fits whose risk on the fold held out was above the stated one … */
  above: number;
  /** … and by more than a fold so small makes likely: one time in twenty at most where the risk is as stated. */
  clearlyAbove: number;
}

const folds = 5;

/** Fits on four folds and measures on the one held out, for many divisions. */
export function heldOut(
  items: readonly ScoredItem[],
  { risk, confidence, divisions }: { risk: number; confidence: number; divisions: number },
): HeldOut {
  const fits = Array.from({ length: divisions }, (_, division) => {
    const foldOf = dealt(items.length, division + 1);
    return Array.from({ length: folds }, (_, fold) => {
      const { band } = fitCascade(
        items.filter((_, index) => foldOf[index] !== fold),
        { risk, confidence },
      );
      const decided = items.filter(
        ({ score }, index) => band && foldOf[index] === fold && score !== null && findSide(band, score) !== null,
      );
      return {
        found: band !== null,
        decided: decided.length,
        wrong: decided.filter(({ score, label }) => findSide(band!, score!) !== label).length,
      };
    });
  }).flat();
  const mean = (of: 'decided' | 'wrong') => fits.reduce((sum, fit) => sum + fit[of], 0) / divisions;
  const [decided, wrong] = [mean('decided'), mean('wrong')];
  const [from, to] = clopperPearson(wrong, decided);
  const above = fits.filter((fit) => fit.wrong > risk * fit.decided);
  return {
    items: items.length,
    fits: fits.length,
    bands: fits.filter(({ found }) => found).length,
    decided: decided / items.length,
    risk: { share: decided === 0 ? 0 : wrong / decided, from, to },
    above: above.length,
    clearlyAbove: above.filter((fit) => clopperPearson(fit.wrong, fit.decided, 0.9)[0] > risk).length,
  };
}

/** Which fold each item is in: folds of one size, by lot. */
function dealt(count: number, seed: number): number[] {
  const order = shuffleByLot([...Array(count).keys()], randomNumbers(seed));
  const foldOf = Array<number>(count).fill(0);
  for (const [place, index] of order.entries()) foldOf[index] = place % folds;
  return foldOf;
}
