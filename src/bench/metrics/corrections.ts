type Tests = readonly (number | null)[];

/** Holm's correction: bounds the chance of even one false finding among all tests. Nulls are no tests, and stay. */
export function holm(tests: Tests): (number | null)[] {
  return corrected(tests, (known) => {
    let highest = 0;
    return known.map(({ p, test }, rank) => {
      highest = Math.max(highest, Math.min(1, (known.length - rank) * p));
      return { test, p: highest };
    });
  });
}

/**
 * Benjamini and Hochberg's correction: bounds the share of false findings among the findings. Nulls are no tests, and
 * stay.
 */
export function benjaminiHochberg(tests: Tests): (number | null)[] {
  return corrected(tests, (known) => {
    let lowest = 1;
    return known.toReversed().map(({ p, test }, fromLast) => {
      lowest = Math.min(lowest, (known.length * p) / (known.length - fromLast));
      return { test, p: lowest };
    });
  });
}

interface Test {
  test: number;
  p: number;
}

/** The correction sees the tests from the smallest p on. */
function corrected(tests: Tests, correct: (known: readonly Test[]) => readonly Test[]): (number | null)[] {
  const known = tests.flatMap((p, test) => (p === null ? [] : [{ test, p }])).toSorted((a, b) => a.p - b.p);
  const results = new Map(correct(known).map(({ test, p }) => [test, p]));
  return tests.map((_, test) => results.get(test) ?? null);
}
