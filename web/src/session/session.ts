import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../api/client.ts';
import type { Scope, Self } from '../api/types.ts';
import type { ConsoleJob } from '../jobs/console-job.ts';
import { findJob } from '../jobs/index.ts';

/** Who we are on this server, and what we may do. */
export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }): Promise<Self> => client.house.self({ signal }),
  staleTime: 60_000,
});

/** Within a page: the shell has asked already. */
export function useSelf(): Self {
  return useSuspenseQuery(selfQuery).data;
}

/** Whether what needs a scope is shown. The server decides in any case. */
export function useMay(scope: Scope): boolean {
  const { data } = useQuery(selfQuery);
  return data !== undefined && (data.scopes.includes(scope) || data.scopes.includes('admin'));
}

/** The jobs that this server does, in its order. */
export function useJobs(): readonly ConsoleJob[] {
  const { models } = useSelf();
  return useMemo(() => Object.keys(models).map(findJob), [models]);
}
