import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useCallback } from 'react';

/** What stands behind the ? of an address: anybody may have written it. */
export type RawSearch = Readonly<Record<string, string | undefined>>;

type SearchChange = Record<string, string | number | boolean | undefined>;

/** `?a=1&b=two` as texts. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search as Record<string, string | number | boolean | null | undefined>).flatMap(
    ([name, value]): [string, string][] =>
      value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}

/**
 * The state that a page keeps in its address, so that it can be shared and gone back to. `read` makes sense of what
 * stands there; what is set replaces only what it names, and `undefined` takes it away.
 */
export function useSearchState<State>(
  read: (raw: RawSearch) => State,
): [State, (change: SearchChange, options?: { replace?: boolean }) => void] {
  const raw = useRouterState({ select: ({ location }) => location.search }) as RawSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (changed: SearchChange, { replace = true } = {}) => {
      void navigate({
        to: '.',
        search: (before: object) =>
          Object.fromEntries(
            Object.entries({ ...before, ...changed }).flatMap(([name, value]) =>
              value === undefined || value === '' ? [] : [[name, String(value)]],
            ),
          ),
        replace,
        resetScroll: false,
      } as never);
    },
    [navigate],
  );
  return [read(raw), change];
}

/** One of some words, or nothing. */
export function pickOne<const Word extends string>(
  words: readonly Word[],
  given: string | undefined,
): Word | undefined {
  return words.find((word) => word === given);
}
