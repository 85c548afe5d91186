import { formatPlural } from '../../../view/index.ts';
import type { Answer, Exclusion } from '../../../debate/index.ts';

const reasons = new Map<string, string>(
  Object.entries({
    itself: 'the item itself',
    'near-duplicate': 'nearly the same text as the item',
    'evaluation-set': 'from the data set that is being scored',
    'left-out': 'left out on purpose',
    collapsed: 'says the same as one that is shown',
  } satisfies Record<Exclusion['reason'], string>),
);

/** What the search for precedents left out, in a sentence for each reason; ids go through `show`. */
export function exclusionLines({ retrieval }: Pick<Answer, 'retrieval'>, show: (id: string) => string): string[] {
  if (!retrieval) return [];
  const byReason = Map.groupBy(retrieval.excluded, ({ reason }) => reason);
  const named = [...byReason].map(
    ([reason, excluded]) =>
      `Not shown, ${reasons.get(reason) ?? show(reason)}: ${excluded.map(({ id }) => show(id)).join(', ')}`,
  );
  return [
    ...named,
    ...(retrieval.furtherExcluded
      ? [`Not shown either: ${formatPlural(retrieval.furtherExcluded, 'further precedent')}`]
      : []),
  ];
}

/** What is wrong with the library that was searched; null when nothing is. */
export function libraryProblem({ retrieval }: Pick<Answer, 'retrieval'>): string | null {
  return retrieval?.library.problem ?? null;
}
