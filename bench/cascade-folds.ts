import { fitCascade, randomNumbers, sideOf, type ScoredItem } from '../src/runs/index.ts';

/** What cascades that were fitted on four folds made of the fifth, over all folds of all repeats. */
export interface HeldOut {
  items: number;
  repeats: number;
  /** Of the fits, how many found a band. */
  bands: number;
  fits: number;
  /** Means over the repeats, with the 2.5th and 97.5th percentile; the risk is null where nothing was ever decided. */
  decided: Spread;
  risk: Spread | null;
}

export interface Spread {
  mean: number;
  from: number;
  to: number;
}

const folds = 5;

/** Fits on four folds and measures on the one held out; another division for each repeat. */
export function heldOut(items: readonly ScoredItem[], { risk, confidence, repeats }: { risk: number; confidence: number; repeats: number }): HeldOut {
  let bands = 0;
  const tallies = Array.from({ length: repeats }, (_, repeat) => {
    const foldOf = dealt(items.length, repeat + 1);
    const tally = { decided: 0, wrong: 0 };
    for (let fold = 0; fold < folds; fold += 1) {
      const { band } = fitCascade(items.filter((_, index) => foldOf[index] !== fold), { risk, confidence });
      if (!band) continue;
      bands += 1;
      for (const { score, label } of items.filter((_, index) => foldOf[index] === fold)) {
        const side = score === null ? null : sideOf(band, score);
        if (side === null) continue;
        tally.decided += 1;
        if (side !== label) tally.wrong += 1;
      }
    }
    return tally;
  });
  const deciding = tallies.filter(({ decided }) => decided > 0);
  return {
    items: items.length,
    repeats,
    bands,
    fits: repeats * folds,
    decided: spread(tallies.map(({ decided }) => decided / items.length)),
    risk: deciding.length === 0 ? null : spread(deciding.map(({ decided, wrong }) => wrong / decided)),
  };
}

/** Which fold each item is in: folds of one size, by lot. */
function dealt(count: number, seed: number): number[] {
  const random = randomNumbers(seed);
  const order = Array.from({ length: count }, (_, index) => ({ index, lot: random() })).toSorted((a, b) => a.lot - b.lot);
  const foldOf = Array<number>(count).fill(0);
  for (const [place, { index }] of order.entries()) foldOf[index] = place % folds;
  return foldOf;
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!;
  return { mean: values.reduce((sum, value) => sum + value, 0) / values.length, from: at(0.025), to: at(0.975) };
}
