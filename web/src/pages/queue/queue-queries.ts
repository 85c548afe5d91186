import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { Reviewer } from '../../session/reviewer.tsx';
import type { Stage } from './review-stages.ts';

export function queueQuery(stage: Stage, { by }: Pick<Reviewer, 'by'>) {
  return infiniteQueryOptions({
    queryKey: ['queue', stage, by],
    queryFn: ({ pageParam, signal }) =>
      client.queue.list({ stage, limit: 50, ...by, ...(pageParam === null ? {} : { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

const renewMs = 240_000;

/**
 * Takes a case, and holds it as long as it is looked at. Not of the group `queue`: news are no reason to take it
 * again.
 */
export function holdQuery(id: string, { by }: Pick<Reviewer, 'by'>, decided: boolean) {
  return queryOptions({
    queryKey: ['held', id, by],
    queryFn: ({ signal }) => client.queue.hold(id, by, { signal }),
    enabled: !decided,
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.status === 'success' ? renewMs : false),
  });
}

export function invalidateQueue(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['queue'] });
}
