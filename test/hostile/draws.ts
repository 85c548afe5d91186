import { randomNumbers } from '@agonhq/engine/statistics';

/** Generated cases follow from it: the one that a failure names makes the same cases again. */
export const seed = Number(process.env['AGON_HOSTILE_SEED'] ?? 1);

/** Draws that follow from the seed and from what they are for. */
export interface Draws {
  /** A number from 0 to below `end`. */
  below(end: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export function drawFor(purpose: string, from = seed): Draws {
  let state = from >>> 0;
  for (const character of purpose) state = (Math.imul(state ^ character.codePointAt(0)!, 0x01000193) + 1) >>> 0;
  const random = randomNumbers(state);
  const below = (end: number) => Math.floor(random() * end);
  return { below, pick: (items) => items[below(items.length)]! };
}
