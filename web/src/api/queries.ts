import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { signedOut } from '../session/signed-out.ts';
import { problemOf } from './problem.ts';

/** A session that has ended is noticed by whatever is asked next. */
const noticed = (error: unknown) => {
  if (problemOf(error).status === 401) signedOut();
};

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticed }),
  mutationCache: new MutationCache({ onError: noticed }),
  // The client itself asks again where that may help.
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
});
