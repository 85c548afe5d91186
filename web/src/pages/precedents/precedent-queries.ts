import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';

type Filter = Parameters<typeof client.precedents.list>[0];

export function precedentsQuery(filter: NonNullable<Filter>) {
  return infiniteQueryOptions({
    queryKey: ['precedents', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      client.precedents.list({ limit: 20, ...filter, ...(pageParam === null ? {} : { after: pageParam }) }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

export function precedentQuery(id: string) {
  return queryOptions({
    queryKey: ['precedents', 'one', id],
    queryFn: ({ signal }) => client.precedents.get(id, { signal }),
  });
}

/** The rulebook in force: its categories and clauses are what precedents are filed under. */
export const activePolicyQuery = queryOptions({
  queryKey: ['policies', 'active'],
  queryFn: ({ signal }) => client.policies.get('active', { signal }),
  staleTime: 60_000,
});

/** After anything was changed: lists, proposals and single ones. */
export function invalidatePrecedents(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['precedents'] });
}
