/** How often each name came; beyond so many names the others are counted together. */
export interface Tally {
  add(name: string): void;
  /** The most frequent first, then by name. */
  counts(): { name: string; count: number }[];
}

const otherNames = '(others)';

export function tally(most = 1_000): Tally {
  const counted = new Map<string, number>();
  return {
    add(name) {
      const counts = counted.has(name) || counted.size < most ? name : otherNames;
      counted.set(counts, (counted.get(counts) ?? 0) + 1);
    },
    counts: () =>
      [...counted]
        .map(([name, count]) => ({ name, count }))
        .toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1)),
  };
}
