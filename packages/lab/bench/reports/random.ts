import { randomNumbers } from '@agonhq/engine/statistics';

/** Chance that repeats itself: the same seed gives the same report. */
export interface Random {
  next: () => number;
  /** Both ends included. */
  integer: (from: number, to: number) => number;
  between: (from: number, to: number) => number;
  pick: <Item>(items: readonly Item[]) => Item;
  some: <Item>(items: readonly Item[], count: number) => Item[];
  chance: (probability: number) => boolean;
}

export function random(seed: number): Random {
  const next = randomNumbers(Math.imul(seed, 0x9e3779b1) ^ 0x85ebca6b);
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <Item>(items: readonly Item[]): Item => items[integer(0, items.length - 1)]!;
  return {
    next,
    integer,
    pick,
    between: (from, to) => from + next() * (to - from),
    chance: (probability) => next() < probability,
    some: (items, count) => {
      const left = [...items];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(integer(0, left.length - 1), 1)[0]!,
      );
    },
  };
}
