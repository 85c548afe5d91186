import { type ReactNode, useEffect, type ComponentProps } from 'react';
import { classes } from './tones.ts';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Inbox, type LucideIcon, TriangleAlert } from 'lucide-react';
import { describeProblem } from '../api/problem.ts';
import { Button } from './button.tsx';

interface PageProps {
  title: string;
  name?: string;
  lead?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/**
 * A page: its title is the document's, too, where no `name` tells it from others of its kind. `wide` for tables and
 * two panes.
 */
export function Page({ title, name = title, lead, actions, wide = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${name} · Agon`;
  }, [name]);
  return (
    <div className={classes('mx-auto grid gap-6 px-4 py-6 sm:px-6 lg:px-8', wide ? 'max-w-[100rem]' : 'max-w-6xl')}>
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-3xl" tabIndex={-1}>
            {title}
          </h1>
          {lead && <p className="mt-1 max-w-3xl text-quiet">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={classes('rounded-xl border bg-surface p-4 sm:p-5', className)} {...rest} />;
}

interface SectionProps {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, lead, actions, children }: SectionProps) {
  return (
    <section className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="text-xl">{title}</h2>
        {actions}
      </div>
      {lead && <p className="-mt-2 max-w-3xl text-sm text-quiet">{lead}</p>}
      {children}
    </section>
  );
}

/** The place of what is still coming, as large as it will be. */
export function Skeleton({ className = 'h-5 w-full' }: { className?: string }) {
  return <span aria-hidden className={`block animate-pulse rounded-md bg-line ${className}`} />;
}

interface LoadingProps {
  lines?: number;
  what?: string;
  className?: string;
  children?: ReactNode;
}

/** Several lines of it, said once to those who listen. */
export function Loading({ lines = 4, what = 'Loading', className = 'grid gap-3', children }: LoadingProps) {
  return (
    <div role="status" className={className}>
      <span className="sr-only">{what}…</span>
      {children ??
        Array.from({ length: lines }, (_, line) => (
          <Skeleton key={line} className={`h-5 ${line % 3 === 2 ? 'w-2/3' : 'w-full'}`} />
        ))}
    </div>
  );
}

interface EmptyStateProps {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  icon?: LucideIcon;
}

/** Where there is nothing yet: what would be here, and a sample to try. */
export function EmptyState({ title, children, action, icon: Icon = Inbox }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-xl border border-dashed bg-surface px-6 py-12 text-center">
      <Icon aria-hidden className="size-9 text-quiet" />
      <h2 className="text-xl">{title}</h2>
      {children && <div className="max-w-xl text-quiet">{children}</div>}
      {action && <div className="flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** What went wrong and what to do, with a way to try again. */
export function ProblemNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const { message, hint, code } = describeProblem(error);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-3 rounded-xl border border-caution bg-caution-ground p-4 text-caution"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-5 flex-none" />
      <div className="min-w-0 flex-1 basis-64">
        <p className="words font-medium">{message}</p>
        <p className="words text-sm">
          {hint} <code className="font-mono text-xs">{code}</code>
        </p>
      </div>
      {retry && (
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}

interface QueryViewProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** How many lines stand in its place, and what they wait for. */
  lines?: number;
  what?: string;
  /** Stands in its place instead. */
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
}

/** What was asked for; until it is there, that it is on its way, or why it does not come. */
export function QueryView<Data>({ query, lines, what, loading, children }: QueryViewProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <>
      {error ? <ProblemNotice error={error} retry={() => void refetch()} /> : null}
      {data !== undefined ? children(data) : !error && (loading ?? <Loading lines={lines} what={what} />)}
    </>
  );
}

type Pages<Row> = Pick<
  UseInfiniteQueryResult<{ pages: readonly { rows: readonly Row[] }[] }>,
  'data' | 'error' | 'refetch' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
>;

interface ListViewProps<Row> extends Omit<QueryViewProps<never>, 'query' | 'children'> {
  list: Pages<Row>;
  empty: ReactNode;
  centred?: boolean;
  children: (rows: readonly Row[]) => ReactNode;
}

/** The rows that are here, and a way to more of them. */
export function ListView<Row>({ list, empty, centred = false, children, ...rest }: ListViewProps<Row>) {
  return (
    <QueryView query={list} {...rest}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows);
        return (
          <>
            {rows.length === 0 ? empty : children(rows)}
            {list.hasNextPage && (
              <Button
                className={centred ? 'justify-self-center' : 'w-fit'}
                busy={list.isFetchingNextPage}
                onClick={() => void list.fetchNextPage()}
              >
                Show more
              </Button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}
