/** What 2.5 % of a normal distribution lie above. */
const z = 1.959963984540054;

/** The 95 % Wilson score interval of a share; null where nothing was seen. */
export function wilsonInterval(count: number, total: number): Interval | null {
  if (total === 0) return null;
  const share = count / total;
  const centre = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  const scale = 1 + z ** 2 / total;
  // At the ends of the scale the interval ends there too, but for rounding.
  return [count === 0 ? 0 : (centre - spread) / scale, count === total ? 1 : (centre + spread) / scale];
}

/**
 * The interval that holds a share with this confidence, when `wrong` of `number` were seen (Clopper and Pearson:
 * exact, never too narrow).
 *
 * @example clopperPearson(0, 100) // [0, 0.0362…]
 */
export function clopperPearson(wrong: number, number: number, confidence = 0.95): readonly [number, number] {
  if (number === 0) return [0, 1];
  const tail = (1 - confidence) / 2;
  return [1 - exactUpperBound(number - wrong, number, tail), exactUpperBound(wrong, number, tail)];
}

/**
 * How likely so uneven a split of `a + b` changes is when both directions are equally likely (McNemar's exact test,
 * two-sided).
 */
export function mcnemarExact(a: number, b: number): number {
  const tail = binomialCdf(Math.min(a, b), a + b, 0.5);
  // Half of a distribution or more, but for rounding.
  return tail > 0.5 - 1e-9 ? 1 : 2 * tail;
}

/**
 * Holm's correction of several tests' p-values: bounds the chance of even one false finding among all of them. Nulls
 * are no tests, and stay.
 */
export function holmCorrection(tests: readonly (number | null)[]): (number | null)[] {
  const known = tests.flatMap((p, test) => (p === null ? [] : [{ test, p }])).toSorted((a, b) => a.p - b.p);
  let highest = 0;
  const corrected = new Map(
    known.map(({ p, test }, rank) => {
      highest = Math.max(highest, Math.min(1, (known.length - rank) * p));
      return [test, highest];
    }),
  );
  return tests.map((_, test) => corrected.get(test) ?? null);
}

/**
 * The chance of at most `count` hits in `trials`, each of which hits with `chance`: the regularised incomplete beta
 * function.
 */
export function binomialCdf(count: number, trials: number, chance: number): number {
  if (count < 0) return 0;
  if (count >= trials || chance <= 0) return 1;
  if (chance >= 1) return 0;
  return incompleteBeta(1 - chance, trials - count, count + 1);
}

/**
 * The upper end of the exact (Clopper–Pearson) interval of a share: with 1 − `level` confidence the true share is not
 * above it.
 */
export function exactUpperBound(count: number, trials: number, level: number): number {
  if (count >= trials) return 1;
  let low = count / trials;
  let high = 1;
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (binomialCdf(count, trials, middle) > level) low = middle;
    else high = middle;
  }
  return high;
}

function incompleteBeta(x: number, a: number, b: number): number {
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2)
    ? (front * continuedFraction(x, a, b)) / a
    : 1 - (front * continuedFraction(1 - x, b, a)) / b;
}

/** By Lentz's method; converges within some multiples of √max(a, b) steps. */
function continuedFraction(x: number, a: number, b: number): number {
  const apart = (value: number) => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / apart(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / apart(1 + even * d);
    c = apart(1 + even / c);
    result *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / apart(1 + odd * d);
    c = apart(1 + odd / c);
    const change = c * d;
    result *= change;
    if (Math.abs(change - 1) < 1e-14) break;
  }
  return result;
}

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** Of arguments from 1 on. */
function logGamma(value: number): number {
  const x = value - 1;
  const base = x + lanczos.length - 0.5;
  const sum = lanczos.reduce((total, term, index) => total + term / (x + index + 1), 0.9999999999998099);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(base) - base + Math.log(sum);
}

export type Interval = [number, number];

/** A figure with its 95 % interval. */
export interface Estimate {
  value: number | null;
  interval: Interval | null;
}
