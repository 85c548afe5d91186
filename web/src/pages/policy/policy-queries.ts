import { queryOptions } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';

export function policyQuery(hash: string) {
  return queryOptions({
    queryKey: ['policies', hash],
    queryFn: ({ signal }) => client.policies.get(hash, { signal }),
    staleTime: 60_000,
  });
}

/** As a person writes it, comments aside. */
export function writtenPolicyQuery(hash: string) {
  return queryOptions({
    queryKey: ['policies', hash, 'yaml'],
    queryFn: async ({ signal }) => (await client.policies.getAs(hash, { format: 'yaml' }, { signal })).text(),
    staleTime: Infinity,
  });
}

export const versionsQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: ({ signal }) => client.policies.list({ signal }),
});

export function differenceQuery(from: string, to: string) {
  return queryOptions({
    queryKey: ['policies', 'diff', from, to],
    queryFn: ({ signal }) => client.policies.diff(from, to, { signal }),
    staleTime: Infinity,
  });
}

export function invalidatePolicies(): Promise<void> {
  return queries.invalidateQueries({ queryKey: ['policies'] });
}
