import { randomNumbers } from './random-numbers.ts';

/** How often each item was drawn. */
export type Weights = Uint16Array;

/** Shows every resample of so many items. The weights are to be read at once, not kept. */
export type Resamples = (items: number, visit: (weights: Weights) => void) => void;

export const resampleCount = 1_000;

/**
 * Resamples whose draws follow from the number of items and the seed alone: the same data gives the same intervals, and
 * systems over the same items are resampled alike. They are kept for the next who asks, unless they are more than
 * `kept` items.
 */
export function resamplesOf(seed = 1, kept = 20_000_000): Resamples {
  const drawn = new Map<number, Weights>();
  return (items, visit) => {
    if (items === 0) return;
    const known = drawn.get(items);
    if (known) {
      for (let draw = 0; draw < resampleCount; draw++) visit(known.subarray(draw * items, (draw + 1) * items));
      return;
    }
    const keeps = items * resampleCount <= kept;
    const all = new Uint16Array(keeps ? items * resampleCount : items);
    const random = drawsFor(items, seed);
    for (let draw = 0; draw < resampleCount; draw++) {
      const weights = keeps ? all.subarray(draw * items, (draw + 1) * items) : all.fill(0);
      for (let item = 0; item < items; item++) weights[Math.floor(random() * items)]! += 1;
      visit(weights);
    }
    if (keeps) drawn.set(items, all);
  };
}

/** The lots of so many items; of the first seed they follow from their number alone. */
export function drawsFor(items: number, seed: number): () => number {
  return randomNumbers(items + Math.imul(seed - 1, 0x9e3779b1));
}

/** Every item once. */
export function eachOnce(items: number): Weights {
  return new Uint16Array(items).fill(1);
}
