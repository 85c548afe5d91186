import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import type { CaseRecord } from '../../api/types.ts';
import { updateListedCase } from '../cases/use-case-list.ts';

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
