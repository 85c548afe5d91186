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

/** Values by how often they came: exact quantiles without keeping each one. */
export function quantilesOf(counted: ReadonlyMap<number, number>, at: readonly number[]): (number | null)[] {
  const values = [...counted].toSorted(([a], [b]) => a - b);
  const all = values.reduce((sum, [, count]) => sum + count, 0);
  return at.map((share) => {
    let passed = 0;
    for (const [value, count] of values) {
      passed += count;
      if (passed >= Math.max(1, Math.ceil(share * all))) return value;
    }
    return null;
  });
}
