import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';

/* What this part of the console asks for. News of a run asks for `runs` anew. */

const pageSize = 12;

export const runsQuery = infiniteQueryOptions({
  queryKey: ['runs', 'list'],
  queryFn: ({ pageParam, signal }) =>
    client.runs.list({ limit: pageSize, ...(pageParam ? { after: pageParam } : {}) }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['runs', id, 'report'],
    queryFn: ({ signal }) => client.runs.get(id, { signal }),
    staleTime: 30_000,
  });

export type ItemState = 'done' | 'failed' | 'waiting' | 'running' | 'same';

export const itemsQuery = (id: string, state: ItemState | undefined) =>
  infiniteQueryOptions({
    queryKey: ['runs', id, 'items', state ?? null],
    queryFn: ({ pageParam, signal }) =>
      client.runs.items(
        id,
        { limit: 50, ...(state ? { state } : {}), ...(pageParam ? { after: pageParam } : {}) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const differenceQuery = (before: string, after: string) =>
  queryOptions({
    queryKey: ['runs', before, 'diff', after],
    queryFn: ({ signal }) => client.runs.diff(before, after, { limit: 500 }, { signal }),
    staleTime: 30_000,
  });

export const benchesQuery = infiniteQueryOptions({
  queryKey: ['benches', 'list'],
  queryFn: ({ pageParam, signal }) =>
    client.benches.list({ limit: pageSize, ...(pageParam ? { after: pageParam } : {}) }, { signal }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

export const benchQuery = (id: string) =>
  queryOptions({
    queryKey: ['benches', id],
    queryFn: ({ signal }) => client.benches.get(id, { signal }),
    staleTime: 30_000,
  });

export interface BenchItemChoice {
  only: 'all' | 'wrong' | 'disputed' | 'undecided';
  system: string | undefined;
  category: string | undefined;
}

export const benchItemsQuery = (id: string, set: number, { only, system, category }: BenchItemChoice) =>
  infiniteQueryOptions({
    queryKey: ['benches', id, 'items', set, only, system ?? null, category ?? null],
    queryFn: ({ pageParam, signal }) =>
      client.benches.items(
        id,
        String(set),
        {
          limit: 25,
          only,
          ...(system ? { system } : {}),
          ...(category ? { category } : {}),
          ...(pageParam ? { after: pageParam } : {}),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ['cases', id],
    queryFn: ({ signal }) => client.cases.get(id, { signal }),
    staleTime: 60_000,
  });

export const invalidateRuns = () => queries.invalidateQueries({ queryKey: ['runs'] });
