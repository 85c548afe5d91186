import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ask } from '../api/query-options.ts';
import { client, type KeyScope, type Self } from '../api/client.ts';
import type { ConsoleJob } from '../jobs/console-job.ts';
import { addConsoleJob, findConsoleJob } from '../jobs/index.ts';

/** Who we are on this server, and what we may do. */
export const selfQuery = ask(['self'], (options): Promise<Self> => client.house.self(options), { staleTime: 60_000 });

/** How people sign in here, beside keys. */
export const signInWaysQuery = ask(['ways'], (options) => client.session.ways(options), { staleTime: Infinity });

/** Within a page: the shell has asked already. */
export function useSelf(): Self {
  return useSuspenseQuery(selfQuery).data;
}

/** Whether what needs a scope is shown. The server decides in any case. */
export function useMay(scope: KeyScope): boolean {
  const { data } = useQuery(selfQuery);
  return data !== undefined && (data.scopes.includes(scope) || data.scopes.includes('admin'));
}

/** The jobs that this server does, in its order; who may not read is told by their names alone. */
const jobsQuery = ask(
  ['jobs'],
  async (options) => (await client.jobs.list(options)).rows.map((job) => addConsoleJob(job).id),
  { staleTime: Infinity },
);

/** Whether pages know every job by now. */
export function useKnowsJobs(): boolean {
  const mayRead = useMay('read');
  const { isPending } = useQuery({ ...jobsQuery, enabled: mayRead });
  return !mayRead || !isPending;
}

export function useJobs(): readonly ConsoleJob[] {
  const { models } = useSelf();
  const { data } = useQuery({ ...jobsQuery, enabled: useMay('read') });
  return useMemo(() => (data ?? Object.keys(models)).map(findConsoleJob), [data, models]);
}
