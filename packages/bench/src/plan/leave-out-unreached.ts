import { AgonError } from '@agonhq/engine/agon-error';
import { formatPlural } from '@agonhq/engine/view';
import type { LabelledItem } from '../datasets/labelled-item.ts';
import type { Dataset } from '../datasets/read-dataset.ts';
import type { SystemRun } from '../systems/run-system.ts';

const outages = new Set(['nobody-heard', 'system-unavailable']);

/**
 * The same measurement without the items that some system could not be asked about, since its provider was away: they
 * are no mistakes of it, and all systems are held against each other on the same items. A system that was away for all
 * of them is measured as it is.
 */
export function leaveOutUnreached<Item extends LabelledItem, Run extends SystemRun<Item>>(
  data: Dataset<Item>,
  runs: readonly (readonly Run[])[],
): { data: Dataset<Item>; runs: readonly (readonly Run[])[]; leftOut: number } {
  const heard = runs.flat().filter(({ judged }) => judged.length > 0);
  const isReached = data.lines.map((_, place) => heard.every((run) => !wasAway(run, place)));
  const leftOut = isReached.filter((reached) => !reached).length;
  if (leftOut === 0) return { data, runs, leftOut };
  if (leftOut === data.lines.length)
    throw new AgonError(
      'nobody-heard',
      `No item of ${data.file} could be judged by every system, since providers were away.`,
      'Run the same command again: what was judged is not judged anew.',
    );
  const keep = <Each>(each: readonly Each[]) => each.filter((_, place) => isReached[place]);
  return {
    data: { ...data, lines: keep(data.lines) },
    runs: runs.map((repeats) =>
      repeats.map((run) => {
        const outcomes = keep(run.outcomes);
        const judged = outcomes.flatMap((outcome) => outcome.judged ?? []);
        return { ...run, outcomes, judged, keys: keep(run.keys) };
      }),
    ),
    leftOut,
  };
}

export function explainUnreached(leftOut: number): string {
  return (
    `${formatPlural(leftOut, 'item')} could not be judged by every system, since a provider was away, and no figure ` +
    'counts them: run the same bench again to judge them.'
  );
}

function wasAway({ outcomes, problems }: SystemRun, place: number): boolean {
  const { line, judged } = outcomes[place]!;
  return judged === null && outages.has(problems.get(line)?.code ?? '');
}
