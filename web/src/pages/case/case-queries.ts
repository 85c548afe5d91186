import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { CaseRecord, Job } from '../../api/types.ts';
import { updateListedCase } from '../cases/use-case-list.ts';

/** What can be asked of a case, by its job. */
export const groups = { moderation: client.moderations, evaluation: client.evaluations, documents: client.analyses };
const paths: Record<Job, string> = { moderation: 'moderations', evaluation: 'evaluations', documents: 'analyses' };

/* Not among the `cases` that news asks anew: a whole trial is much to ask for, and stays as it is. */
const caseKey = (id: string) => ['case', id] as const;
const refetchOpenMs = 3_000;

export function useCase(id: string): UseQueryResult<CaseRecord> {
  return useQuery({
    queryKey: caseKey(id),
    queryFn: ({ signal }) => client.cases.get(id, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && data.answer === null && data.forgottenAt === null ? refetchOpenMs : false,
  });
}

/** Something was done to a case: whoever shows it asks anew. */
export async function invalidateCase({ id }: { id: string }): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['cases'] }),
    queries.invalidateQueries({ queryKey: ['case'] }),
  ]);
  const now = queries.getQueryData<CaseRecord>(caseKey(id));
  if (now)
    updateListedCase(now.id, (row) => ({
      ...row,
      decided: now.decided,
      excerpt: now.excerpt,
      forgottenAt: now.forgottenAt,
    }));
}

export function reportPath({ job, id }: { job: Job; id: string }, format: string): string {
  return `/api/${paths[job]}/${encodeURIComponent(id)}/report?format=${format}`;
}

export function attachmentPath(id: string, hash: string): string {
  return `/api/cases/${encodeURIComponent(id)}/attachments/${encodeURIComponent(hash)}`;
}
