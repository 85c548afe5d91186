import { computeMetrics, type Repeats } from '../metrics/measure.ts';
import { standardDeviation } from '../../statistics/index.ts';

/** How alike the repeats are. */
export interface RepeatFigures {
  count: number;
  /** Standard deviation over the repeats; null with one repeat alone. */
  spread: { accuracy: number | null; f1: number | null };
  /** The share of items that got the same label in every repeat; one that failed got none. */
  sameLabel: number | null;
  /** The share of items judged rightly in every repeat (pass^k). */
  alwaysRight: number | null;
}

export function repeatFigures(repeats: Repeats): RepeatFigures {
  const several = repeats.length > 1;
  const metrics = repeats.map(computeMetrics);
  return {
    count: repeats.length,
    spread: {
      accuracy: several ? standardDeviation(metrics.map(({ accuracy }) => accuracy)) : null,
      f1: several ? standardDeviation(metrics.map(({ f1 }) => f1)) : null,
    },
    sameLabel: several
      ? shareOfItems(repeats, (said) => said[0] !== 'failed' && said.every((label) => label === said[0]))
      : null,
    alwaysRight: several
      ? shareOfItems(
          repeats,
          (said, unsafe) => unsafe !== null && said.every((label) => label === (unsafe ? 'unsafe' : 'safe')),
        )
      : null,
  };
}

function shareOfItems(
  repeats: Repeats,
  holds: (said: readonly string[], unsafe: boolean | null) => boolean,
): number | null {
  const [first = []] = repeats;
  if (first.length === 0) return null;
  return (
    first.filter(({ unsafe }, item) =>
      holds(
        repeats.map((outcomes) => outcomes[item]!.said),
        unsafe,
      ),
    ).length / first.length
  );
}
