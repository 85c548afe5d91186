import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

/** An analysis is sealed: once it is here, it is not asked for again. */
export const analysisKey = (id: string) => ['analysis', id] as const;

export const analysisQuery = (id: string) =>
  queryOptions({
    queryKey: analysisKey(id),
    queryFn: ({ signal }) => client.analyses.get(id, { signal }),
    staleTime: Infinity,
  });

/** What its files are: asked for by itself, so that a PDF opens while a long analysis is still on its way. */
export const filesQuery = (id: string) =>
  queryOptions({
    queryKey: ['analysis', id, 'files'],
    queryFn: async ({ signal }) => (await client.cases.attachments(id, { signal })).rows,
    staleTime: 60_000,
  });
