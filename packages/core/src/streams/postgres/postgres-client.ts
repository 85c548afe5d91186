import type { Pool } from 'pg';
import { AgonError } from '@agonhq/engine/agon-error';
import { needPart } from '@agonhq/engine/parts';
import type { TableAddress } from './postgres-address.ts';

export async function loadPostgres() {
  needPart('postgres');
  return (await import('pg')).default;
}

export async function openPool({ url }: TableAddress, max: number): Promise<Pool> {
  const pg = await loadPostgres();
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: 'agon stream',
  });
  // One that breaks while nobody uses it is replaced; in somebody's hands it fails their query.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return pool;
}

/** What a database said, or that it said nothing, in our words. `make` is a statement that makes what is missing. */
export function nameDatabaseError(error: unknown, { place }: TableAddress, make: string): AgonError {
  if (AgonError.is(error)) return error;
  const { code = '', message } = error as Error & { code?: string };
  if (code === '42P01' || code === '42703')
    return new AgonError(
      'unknown-table',
      `${capitalize(place)} is not as it should be: ${message}.`,
      `Make it: ${make}`,
      {
        cause: error,
      },
    );
  if (code === '42501' || code.startsWith('28'))
    return new AgonError(
      'no-stream-rights',
      `Access to ${place} is refused: ${message}.`,
      'Give the user rights to select and update the table that is read, and to insert into the one that is written.',
      { cause: error },
    );
  if (code === '3D000')
    return new AgonError('unknown-table', `${capitalize(place)} cannot be read: ${message}.`, 'Correct the address.', {
      cause: error,
    });
  // 08: connections; 57P: the server goes down or comes up; 53: no room; letters: of the operating system.
  const isAway = code === '' || /^(?:08|57P|53|40|E[A-Z]+)/.test(code);
  if (isAway)
    return new AgonError(
      'database-unreachable',
      `${capitalize(place)} cannot be reached: ${message || code}.`,
      'See that the server runs, and that the address is right.',
      { cause: error },
    );
  return new AgonError(
    'unknown-table',
    `${capitalize(place)} cannot be used: ${message}.`,
    `It should be as: ${make}`,
    {
      cause: error,
    },
  );
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}
