import type { BenchResult, SystemResult } from '../result.ts';
import { isCounted } from './count-repeats.ts';
import type { ScoreName } from './scores.ts';
import type { Comparison } from './set-figures.ts';
import { type Bootstrapped, holmCorrection, mcnemarExact, pairedDifference } from '@agonhq/engine/statistics';

/** A system with all that was measured of it by the sheet's rule. */
export interface MeasuredFigure {
  system: SystemResult;
  figures: Bootstrapped<ScoreName>;
}

/**
 * The first system beside every other, by its leading metric and by accuracy. McNemar's test is one for a pair of
 * systems, whatever the metric: it is corrected over the pairs, and both rows show it.
 */
export function compareSystems(result: BenchResult, [first, ...others]: readonly MeasuredFigure[]): Comparison[] {
  if (!first) return [];
  const ours = rightness(result, first.system);
  const pairs = others.map((other) => ({ other, ...discordance(ours, rightness(result, other.system)) }));
  const corrected = holmCorrection(pairs.map(({ mcnemar }) => mcnemar));
  const metrics = [result.positive === null ? 'balancedAccuracy' : 'f1', 'accuracy'] as const;
  return pairs.flatMap(({ other, onlyFirst, onlySecond, mcnemar }, pair) =>
    metrics.map((metric) => {
      const { difference, p } = pairedDifference(first.figures, other.figures, metric);
      return {
        first: first.system.name,
        second: other.system.name,
        metric,
        difference,
        onlyFirst,
        onlySecond,
        mcnemar,
        bootstrap: p,
        corrected: corrected[pair]!,
      };
    }),
  );
}

/**
 * Whether a system judged each item rightly: with several repeats, in more than half of those that count. Null where
 * none counts.
 */
function rightness(result: BenchResult, { repeats }: SystemResult): (boolean | null)[] {
  return result.items.map((item, place) => {
    const counted = repeats
      .map((outcomes) => outcomes[place]!)
      .filter((outcome) => isCounted(result, item, outcome, result.parameters.invalid));
    const right = counted.filter(({ said }) => said === item.gold).length;
    return counted.length === 0 ? null : right > counted.length / 2;
  });
}

function discordance(
  first: readonly (boolean | null)[],
  second: readonly (boolean | null)[],
): Pick<Comparison, 'onlyFirst' | 'onlySecond' | 'mcnemar'> {
  const onlyFirst = first.filter((right, place) => right === true && second[place] === false).length;
  const onlySecond = first.filter((right, place) => right === false && second[place] === true).length;
  const both = first.some((right, place) => right !== null && second[place] !== null);
  return { onlyFirst, onlySecond, mcnemar: both ? mcnemarExact(onlyFirst, onlySecond) : null };
}
