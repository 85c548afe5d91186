import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { describeProblem } from './problem.ts';

/** A session that has ended is noticed by whatever is asked next; who we are is asked anew then. */
const checkSignedIn = (error: unknown, asked: readonly unknown[] = []) => {
  if (describeProblem(error).status === 401 && asked[0] !== 'self') announceSignOut();
};

export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => checkSignedIn(error, queryKey) }),
  mutationCache: new MutationCache({
    onError: (error, _given, _context, { options }) => checkSignedIn(error, options.mutationKey),
  }),
  // The client itself asks again where that may help. The server may be on this machine: being offline says nothing.
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/* Told by whoever is refused, heard by the shell, which shows the sign-in. */

const listeners = new Set<() => void>();

export function announceSignOut(): void {
  for (const listener of listeners) listener();
}

export function onSignOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
