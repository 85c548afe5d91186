import type { Interval } from './bootstrap.ts';

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
