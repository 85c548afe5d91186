/**
 * Numbers from 0 to 1 that follow from a seed (Mulberry32): even enough for resampling, and the same on every
 * machine. Seeds decide recorded results (folds, samples, intervals): neither the generator nor the number of calls
 * may change.
 */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The items in random order (Fisher and Yates). */
export function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}

/** The same by drawing a number for each item, in their order, and sorting by it. */
export function shuffleByLot<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, lot: random() }))
    .toSorted((a, b) => a.lot - b.lot)
    .map(({ item }) => item);
}
