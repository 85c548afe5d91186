import { AgonError } from '@agonhq/engine/agon-error';

/** A table of PostgreSQL whose rows are records, or results. */
export interface TableAddress {
  /** Without what is ours in it. */
  url: string;
  /** Where, in words without secrets. */
  place: string;
  table: string;
  /** The columns of a table that is read. */
  id: string;
  payload: string;
  done: string;
  /** Who says so on this channel wakes whoever waits. */
  channel: string;
}

export function isPostgres(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
}

const ours = ['table', 'id', 'payload', 'done', 'channel'] as const;

/** Reads `postgres://USER@HOST/DATABASE?table=outbox`. */
export function parseTableAddress(address: string): TableAddress {
  const url = parseUrl(address);
  const own = Object.fromEntries(ours.map((name) => [name, url.searchParams.get(name)]));
  for (const name of ours) url.searchParams.delete(name);
  const { table } = own;
  if (!table)
    throw new AgonError('bad-stream', 'The address names no table.', 'Write postgres://HOST/DATABASE?table=TABLE.');
  const database = decodeURIComponent(url.pathname.slice(1));
  return {
    url: url.href,
    place: `the table ${table} of ${url.hostname || 'localhost'}${url.port ? `:${url.port}` : ''}/${database}`,
    table: quoteName(table),
    id: quoteName(own['id'] ?? 'id'),
    payload: quoteName(own['payload'] ?? 'payload'),
    done: quoteName(own['done'] ?? 'judged_at'),
    channel: quoteName(own['channel'] ?? table.split('.').at(-1)!),
  };
}

function parseUrl(address: string): URL {
  try {
    return new URL(address);
  } catch {
    // It may hold a password: it is not repeated.
    throw new AgonError(
      'bad-stream',
      'The address of the table is no URL.',
      'Write postgres://USER:PASSWORD@HOST:PORT/DATABASE?table=TABLE, with special letters percent-encoded.',
    );
  }
}

/** A name as SQL takes it, whatever is in it; `schema.table` is two. */
function quoteName(name: string): string {
  return name
    .split('.')
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join('.');
}
