import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { AnnotationItem } from '../../api/types.ts';

/** In whose name is asked. */
export type By = { by?: string };

/** Others vote meanwhile. */
const liveMs = 5_000;

export const projectsQuery = (by: By) =>
  queryOptions({
    queryKey: ['annotations', 'list', by],
    queryFn: async ({ signal }) => (await client.annotations.list(by, { signal })).rows,
    refetchInterval: liveMs,
  });

export const projectQuery = (id: string, by: By) =>
  queryOptions({
    queryKey: ['annotations', id, 'project', by],
    queryFn: ({ signal }) => client.annotations.get(id, by, { signal }),
    refetchInterval: liveMs,
  });

/**
 * What waits for one's vote; asked again when it was dealt with, and by itself while others have all that is left in
 * hand.
 */
export const nextQuery = (id: string, by: By, skip: readonly number[]) =>
  queryOptions({
    queryKey: ['annotations', id, 'next', by, skip],
    queryFn: ({ signal }) =>
      client.annotations.next(id, { ...by, ...(skip.length > 0 ? { skip: skip.join(',') } : {}) }, { signal }),
    staleTime: Infinity,
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.item === null ? liveMs : false),
  });

export const itemQuery = (id: string, position: number, by: By) =>
  queryOptions({
    queryKey: ['annotations', id, 'item', position, by],
    queryFn: ({ signal }) => client.annotations.item(id, String(position), by, { signal }),
  });

export const itemsQuery = (id: string, state: AnnotationItem['state'] | undefined, by: By) =>
  infiniteQueryOptions({
    queryKey: ['annotations', id, 'items', state ?? 'all', by],
    queryFn: ({ signal, pageParam }) =>
      client.annotations.items(
        id,
        { limit: 25, ...by, ...(state ? { state } : {}), ...(pageParam === null ? {} : { after: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: state === 'disputed' ? 2 * liveMs : false,
  });

/** Of one project, or of all. */
export function invalidateAnnotations(id?: string): Promise<void> {
  return queries.invalidateQueries({ queryKey: id === undefined ? ['annotations'] : ['annotations', id] });
}

export function imageUrl(project: string, hash: string): string {
  return `/api/annotations/${encodeURIComponent(project)}/images/${encodeURIComponent(hash)}`;
}
