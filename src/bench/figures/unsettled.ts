import type { ScoreSheet, SystemSheet } from '../sheet.ts';
import type { SystemFigureSet } from './set-figures.ts';

/** Items that nobody decided, or that failed, in any repeat: each once, in the order of the data. */
export function unsettledIn({ items }: ScoreSheet, { repeats }: SystemSheet): SystemFigureSet['unsettled'] {
  const places = (label: string) =>
    items.flatMap(({ line, id }, place) => {
      const found = repeats.map((outcomes) => outcomes[place]!).find(({ said }) => said === label);
      return found ? [{ line, id, problem: found.problem }] : [];
    });
  return { undecided: places('undecided').map(({ line, id }) => ({ line, id })), failed: places('failed') };
}
