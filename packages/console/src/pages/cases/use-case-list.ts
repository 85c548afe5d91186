import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { client, type CaseRow } from '../../api/client.ts';
import { queries } from '../../api/queries.ts';
import { type ShownCaseFilter, toQuery } from './case-filter.ts';
import { caseQuery, invalidate } from '../../api/query-options.ts';

/*
 * The pages of the list are asked for once each, as somebody scrolls: news would otherwise ask for all of them again,
 * and move what is being read. What is new is seen by asking for the first page only, and put in place when asked
 * for.
 */

type CasePage = Awaited<ReturnType<typeof client.cases.list>>;
type Pages = InfiniteData<CasePage, string | undefined>;

const pageSize = 200;
const listKey = (filter: ShownCaseFilter) => ['case-list', filter] as const;

export type CaseListState = ReturnType<typeof useCaseList>;

export function useCaseList(filter: ShownCaseFilter) {
  const list = useInfiniteQuery({
    queryKey: listKey(filter),
    queryFn: ({ pageParam, signal }) => fetchCasePage(filter, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: Infinity,
    // Whoever asks everything anew, after a lost connection say, does not mean these.
    enabled: ({ state }) => state.data === undefined,
  });
  const first = list.data?.pages[0];
  const newest = useQuery({
    queryKey: ['cases', 'newest', filter],
    queryFn: ({ signal }) => fetchCasePage(filter, undefined, signal),
    enabled: first !== undefined,
    initialData: first,
    initialDataUpdatedAt: list.dataUpdatedAt,
  }).data;

  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const known = useMemo(() => new Set(rows.map(({ id }) => id)), [rows]);
  const count = newest?.rows.filter(({ id }) => !known.has(id)).length ?? 0;
  useEffect(() => {
    if (!newest) return;
    const now = new Map(newest.rows.map((row) => [row.id, row]));
    changeRows(listKey(filter), (row) => {
      const after = now.get(row.id) ?? row;
      return JSON.stringify(after) === JSON.stringify(row) ? row : after;
    });
  }, [newest, filter]);

  return {
    rows,
    state: list.isPending ? ('loading' as const) : list.data ? ('there' as const) : ('failed' as const),
    error: list.error,
    complete: !list.hasNextPage,
    more: () => {
      if (list.hasNextPage && !list.isFetching) void list.fetchNextPage();
    },
    /** Those that came since; the last of many counts for more. */
    fresh: { count, orMore: count === pageSize },
    /** Puts them on top: the list begins anew. */
    show: () => {
      if (newest) queries.setQueryData<Pages>(listKey(filter), { pages: [newest], pageParams: [undefined] });
    },
    again: () => void list.refetch(),
  };
}

function fetchCasePage(filter: ShownCaseFilter, after: string | undefined, signal: AbortSignal): Promise<CasePage> {
  return client.cases.list(
    { ...toQuery(filter), limit: pageSize, ...(after === undefined ? {} : { after }) },
    { signal },
  );
}

/** Something was done to a case: whoever shows it asks anew, and its row in a list follows. */
export async function invalidateCase(id: string): Promise<void> {
  await invalidate('cases', 'case');
  const now = queries.getQueryData(caseQuery(id).queryKey);
  if (!now) return;
  const { decided, excerpt, forgottenAt } = now;
  changeRows(['case-list'], (row) => (row.id === id ? { ...row, decided, excerpt, forgottenAt } : row));
}

/** What stays as it is stays the same object, and is not drawn again. */
function changeRows(queryKey: readonly unknown[], change: (row: CaseRow) => CaseRow): void {
  queries.setQueriesData<Pages>({ queryKey }, (data) => {
    if (!data) return data;
    const pages = data.pages.map((page) => {
      const rows = page.rows.map(change);
      return rows.some((row, at) => row !== page.rows[at]) ? { ...page, rows } : page;
    });
    return pages.some((page, at) => page !== data.pages[at]) ? { ...data, pages } : data;
  });
}
