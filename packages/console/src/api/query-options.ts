import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client, type SentAnnotationItem } from './client.ts';
import { queries } from './queries.ts';

/* What pages ask for. The first part of a key says what it is about: what changes that asks for all of it anew. */

interface CallOptions {
  signal: AbortSignal;
}

interface AskOptions {
  staleTime?: number;
  gcTime?: number;
  refetchInterval?: number | false;
}

export function ask<Data>(
  queryKey: readonly unknown[],
  call: (options: CallOptions) => Promise<Data>,
  options: AskOptions = {},
) {
  return queryOptions({ queryKey, queryFn: ({ signal }) => call({ signal }), ...options });
}

/** A list that comes page by page; each says what is asked for after it. */
export function askPages<Page extends { next: string | null }>(
  queryKey: readonly unknown[],
  call: (page: { after: string | undefined }, options: CallOptions) => Promise<Page>,
  options: AskOptions = {},
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => call({ after: pageParam ?? undefined }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    ...options,
  });
}

/** Something was changed: all that is asked for under these names is asked for anew. */
export async function invalidate(...names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}

export const keysQuery = ask(['keys'], (options) => client.keys.list(options));

export const webhooksQuery = ask(['webhooks'], (options) => client.webhooks.list(options));

export const deliveriesQuery = (id: string) =>
  askPages(['webhooks', id, 'deliveries'], (page, options) =>
    client.webhooks.deliveries(id, { limit: 20, ...page }, options),
  );

export const peopleQuery = ask(['audit', 'people'], (options) => client.audit.people(options));

type AuditFilter = Omit<NonNullable<Parameters<typeof client.audit.list>[0]>, 'limit' | 'after'>;

export const auditQuery = (filter: AuditFilter) =>
  askPages(['audit', 'list', filter], (page, options) => client.audit.list({ limit: 50, ...filter, ...page }, options));

export const settingsQuery = ask(['settings'], (options) => client.settings.get(options), { staleTime: 60_000 });

/** In whose name is asked. */
export interface By {
  by?: string;
}

const openCaseMs = 3_000;

/** Not among the `cases` that news asks anew: a whole trial is much to ask for, and stays as it is. */
export const caseQuery = (id: string) =>
  queryOptions({
    ...ask(['case', id], (options) => client.cases.get(id, options)),
    refetchInterval: ({ state: { data } }) =>
      data && data.answer === null && data.forgottenAt === null ? openCaseMs : false,
  });

export const similarCasesQuery = (id: string) =>
  ask(['similar', id], (options) => client.cases.similar(id, { limit: 10 }, options), { staleTime: 60_000 });

export const casesAroundQuery = (id: string) =>
  ask(['around', id], (options) => client.cases.around(id, options), { staleTime: 60_000 });

export const policyQuery = (hash: string) =>
  ask(['policies', hash], (options) => client.policies.get(hash, options), { staleTime: 60_000 });

/** As a person writes it, comments aside. */
export const writtenPolicyQuery = (hash: string) =>
  ask(
    ['policies', hash, 'yaml'],
    async (options) => (await client.policies.getAs(hash, { format: 'yaml' }, options)).text(),
    { staleTime: Infinity },
  );

export const versionsQuery = ask(['policies'], (options) => client.policies.list(options));

export const policyDifferenceQuery = (from: string, to: string) =>
  ask(['policies', 'diff', from, to], (options) => client.policies.diff(from, to, options), { staleTime: Infinity });

type PrecedentFilter = NonNullable<Parameters<typeof client.precedents.list>[0]>;

export const precedentsQuery = (filter: PrecedentFilter) =>
  askPages(['precedents', 'list', filter], (page, options) =>
    client.precedents.list({ limit: 20, ...filter, ...page }, options),
  );

export const precedentQuery = (id: string) =>
  ask(['precedents', 'one', id], (options) => client.precedents.get(id, options));

export type QueueFilter = Pick<
  NonNullable<Parameters<typeof client.queue.list>[0]>,
  'stage' | 'queue' | 'assigned' | 'overdue' | 'sort'
>;

export const queueQuery = (filter: QueueFilter, by: By) =>
  askPages(['queue', filter, by], (page, options) =>
    client.queue.list({ ...filter, limit: 50, ...by, ...page }, options),
  );

/** Something becomes overdue by itself. */
const dueMs = 60_000;

export const queuesQuery = ask(['queue', 'queues'], async (options) => (await client.queues.list(options)).rows, {
  refetchInterval: dueMs,
});

export const alikeQuery = (id: string, by: By) =>
  ask(['alike', id, by], (options) => client.queue.alike(id, by, options), { staleTime: 30_000, gcTime: 0 });

const renewMs = 240_000;

/**
 * Takes a case, and holds it as long as it is looked at. Not of the group `queue`: news are no reason to take it
 * again.
 */
export const holdQuery = (id: string, by: By, decided: boolean) =>
  queryOptions({
    ...ask(['held', id, by], (options) => client.queue.hold(id, by, options), { staleTime: Infinity, gcTime: 0 }),
    enabled: !decided,
    refetchInterval: ({ state }) => (state.status === 'success' ? renewMs : false),
  });

const pageSize = 12;

export const runsQuery = askPages(['runs', 'list'], (page, options) =>
  client.runs.list({ limit: pageSize, ...page }, options),
);

export const runQuery = (id: string) =>
  ask(['runs', id, 'report'], (options) => client.runs.get(id, options), { staleTime: 30_000 });

export type RunGridQuery = Omit<NonNullable<Parameters<typeof client.runs.items>[1]>, 'limit' | 'after'>;

/** Not among the `runs` that news asks anew: of many pages none would be left in peace. `stand` says when it is. */
export const runGridQuery = (id: string, query: RunGridQuery, stand: string) =>
  askPages(
    ['run-grid', id, query, stand],
    (page, options) => client.runs.items(id, { limit: gridPageSize, ...query, ...page }, options),
    { staleTime: Infinity },
  );

const gridPageSize = 100;

export const runDifferenceQuery = (before: string, after: string) =>
  ask(['runs', before, 'diff', after], (options) => client.runs.diff(before, after, { limit: 500 }, options), {
    staleTime: 30_000,
  });

export const benchesQuery = askPages(['benches', 'list'], (page, options) =>
  client.benches.list({ limit: pageSize, ...page }, options),
);

export const benchQuery = (id: string) =>
  queryOptions({
    ...ask(['benches', id], (options) => client.benches.get(id, options), { staleTime: 30_000 }),
    refetchInterval: ({ state }) => (state.data?.live ? liveBenchMs : false),
  });

const liveBenchMs = 1_000;

export const benchSystemsQuery = ask(['bench-systems'], (options) => client.benches.systems(options), {
  staleTime: Infinity,
});

export type BenchGridQuery = Omit<NonNullable<Parameters<typeof client.benches.items>[2]>, 'limit' | 'after' | 'turns'>;

export const benchGridQuery = (id: string, set: number, query: BenchGridQuery) =>
  askPages(
    ['bench-grid', id, set, query],
    (page, options) =>
      client.benches.items(id, String(set), { limit: gridPageSize, turns: false, ...query, ...page }, options),
    { staleTime: 60_000 },
  );

/** One item of a set, with all turns. */
export const benchItemQuery = (id: string, set: number, position: number) =>
  ask(
    ['bench-item', id, set, position],
    async (options) => {
      const after = position === 0 ? undefined : String(position - 1);
      return (await client.benches.items(id, String(set), { limit: 1, after }, options)).rows[0]!;
    },
    { staleTime: 60_000 },
  );

/** Others vote meanwhile. */
const votingMs = 5_000;

export const projectsQuery = (by: By) =>
  ask(['annotations', 'list', by], async (options) => (await client.annotations.list(by, options)).rows, {
    refetchInterval: votingMs,
  });

export const projectQuery = (id: string, by: By) =>
  ask(['annotations', id, 'project', by], (options) => client.annotations.get(id, by, options), {
    refetchInterval: votingMs,
  });

/**
 * What waits for one's vote; asked again when it was dealt with, and by itself while others have all that is left in
 * hand.
 */
export const nextItemQuery = (id: string, by: By, skipped: readonly number[]) =>
  queryOptions({
    ...ask(
      ['annotations', id, 'next', by, skipped],
      (options) => client.annotations.next(id, { ...by, skip: skipped.join(',') || undefined }, options),
      { staleTime: Infinity, gcTime: 0 },
    ),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.item === null ? votingMs : false),
  });

export const itemQuery = (id: string, position: number, by: By) =>
  ask(['annotations', id, 'item', position, by], (options) =>
    client.annotations.item(id, String(position), by, options),
  );

export const itemsQuery = (id: string, state: SentAnnotationItem['state'] | undefined, by: By) =>
  askPages(
    ['annotations', id, 'items', state, by],
    (page, options) => client.annotations.items(id, { limit: 25, ...by, state, ...page }, options),
    { refetchInterval: state === 'disputed' ? 2 * votingMs : false },
  );

export const watchRulesQuery = ask(['watching', 'rules'], (options) => client.watching.rules(options));

export const alertsQuery = askPages(['watching', 'alerts'], (page, options) =>
  client.watching.alerts({ limit: 50, ...page }, options),
);

const shadowMs = 5_000;

export const shadowsQuery = ask(['shadows'], (options) => client.shadows.list(options));

export const shadowQuery = (id: string) =>
  ask(['shadows', id], (options) => client.shadows.get(id, options), { refetchInterval: shadowMs });

export const shadowPairsQuery = (id: string, differing: boolean) =>
  askPages(['shadows', id, 'pairs', differing], (page, options) =>
    client.shadows.pairs(id, { limit: 30, ...(differing ? { differing } : {}), ...page }, options),
  );
